import type { InputRequest } from "@gantry/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBrowser, type FakeCall } from "../testing/fake-browser.ts";

const SESSION = "ses_a";
const sentBody = ({ body }: FakeCall) => ({
  status: 202,
  body: { message: (body as { id: string }).id, disposition: "started" },
});
const refused = { status: 422, body: { error: { code: "invalid", message: "No." } } };

let browser: FakeBrowser;
beforeEach(() => {
  browser = new FakeBrowser();
  browser.install();
});

async function load() {
  const [outbox, drafts, { connection }] = await Promise.all([
    import("./outbox.ts"),
    import("./drafts.ts"),
    import("../connection/connection.ts"),
  ]);
  outbox.startOutbox();
  drafts.startDrafts();
  return { ...outbox, ...drafts, connection };
}

describe("the outbox", () => {
  it("returns how a message was delivered", async () => {
    browser.answer = sentBody;
    const { sendMessage, outbox } = await load();
    const outcome = await sendMessage(SESSION, { text: "hello" });
    expect(outcome).toMatchObject({ state: "sent", sent: { disposition: "started" } });
    expect(outbox.get()).toEqual([]);
  });

  it("sends the messages of a session in order, one at a time", async () => {
    browser.answer = sentBody;
    const { sendMessage } = await load();
    await Promise.all(["one", "two", "three"].map((text) => sendMessage(SESSION, { text })));
    expect(browser.calls.map(({ body }) => (body as { text: string }).text)).toEqual(["one", "two", "three"]);
  });

  it("stores a message across a reload and sends it under the same id when the daemon is back", async () => {
    const first = await load();
    expect(await first.sendMessage(SESSION, { text: "hello" })).toEqual({ state: "stored" });
    const asked = browser.calls[0]?.body;
    browser.install();
    browser.answer = sentBody;
    const again = await load();
    expect(again.outbox.get()).toHaveLength(1);
    again.connection.set({ state: "online" });
    await vi.waitFor(() => expect(again.outbox.get()).toEqual([]));
    expect(browser.calls.map(({ body }) => body)).toEqual([asked, asked]);
    await vi.waitFor(() => expect(browser.stored.get("gantry.outbox") ?? "[]").toBe("[]"));
  });

  it("restores the draft of a message that was stored and then refused", async () => {
    const { sendMessage, connection, draftOf, outbox } = await load();
    await sendMessage(SESSION, { text: "hello" });
    browser.answer = () => refused;
    connection.set({ state: "online" });
    await vi.waitFor(() => expect(draftOf(SESSION).body.get().text).toBe("hello"));
    expect(outbox.get()).toEqual([]);
  });

  it("rejects a message that is refused immediately and does not store it", async () => {
    browser.answer = () => refused;
    const { sendMessage, outbox } = await load();
    await expect(sendMessage(SESSION, { text: "hello" })).rejects.toMatchObject({ code: "invalid" });
    expect(outbox.get()).toEqual([]);
  });

  it("never stores a secret answer", async () => {
    const { answerInput, outbox } = await load();
    const input = { id: "inp_a", session: SESSION, questions: [{ id: "q", text: "Password?", secret: true }] };
    await answerInput(input as unknown as InputRequest, { decision: "allow", answers: { q: "hunter2" } });
    expect(outbox.get()).toHaveLength(1);
    expect([...browser.stored.values()].join()).not.toContain("hunter2");
  });

  it("stores messages without files when the files do not fit", async () => {
    browser.room = 1000;
    const { sendMessage } = await load();
    await sendMessage(SESSION, { text: "large", attachments: [{ name: "a", data: "x".repeat(2000) }] });
    await sendMessage(SESSION, { text: "small" });
    expect(browser.stored.get("gantry.outbox")).toContain("small");
    expect(browser.stored.get("gantry.outbox")).not.toContain("large");
  });
});

describe("a draft", () => {
  it("survives a reload until it is cleared, and then leaves nothing in storage", async () => {
    const { setDraftText, clearDraft } = await load();
    setDraftText(SESSION, "half a thought");
    browser.install();
    const { draftOf, ...again } = await load();
    expect(draftOf(SESSION).body.get().text).toBe("half a thought");
    again.clearDraft(SESSION);
    clearDraft(SESSION);
    expect([...browser.stored.keys()]).toEqual([]);
  });

  it("restores an unsent message before the text written since", async () => {
    const { setDraftText, restoreDraft, draftOf } = await load();
    setDraftText(SESSION, "later");
    restoreDraft(SESSION, "earlier", [{ name: "a.txt", data: "aGk=" }]);
    expect(draftOf(SESSION).body.get().text).toBe("earlier\n\nlater");
    expect(draftOf(SESSION).files.get()).toMatchObject([{ size: 3, attachment: { name: "a.txt" } }]);
  });
});
