import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentMessage } from "../contract/messages.ts";
import type { SessionStore } from "../contract/session-store.ts";
import { createSessionStore, openSessionStore } from "../session-files/open.ts";
import { checkpointTools } from "../tools/checkpoint/tools.ts";
import type { SessionOptions } from "./options.ts";
import {
  brokenLaws,
  FakeModel,
  fakeRegistry,
  fakeTool,
  LARGE,
  MODEL,
  startSession,
  waitForEvent,
} from "./testing/fakes.fake.ts";

let dir: string;
let store: SessionStore;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "gantry-marks-"));
  store = createSessionStore({ cwd: "/", dir });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const equip: SessionOptions["equip"] = (own) => ({
  tools: () => [...checkpointTools(own.marks), fakeTool("look", () => "a very long listing")],
});
const call = (name: string, args: Record<string, unknown> = {}) => ({ name, args });
const mark = { calls: [call("checkpoint", { goal: "where it is" })] };
const rewind = { calls: [call("rewind", { report: "it is in b.ts" })] };
const asJson = (messages: readonly unknown[]) => JSON.stringify(messages);
const roles = (messages: readonly AgentMessage[]) =>
  messages.map((each) => (each.role === "custom" ? each.customType : each.role));
/** What the model knew at its nth request. */
const messagesAt = (model: FakeModel, nth: number) => model.requests[nth]?.request.messages ?? [];

test("drops the messages after the checkpoint on rewind, keeps the report, and survives a restart", async () => {
  const model = new FakeModel(
    { calls: [call("look"), mark.calls[0]!] },
    { calls: [call("look")] },
    { calls: [call("look"), call("rewind", { report: "it is in b.ts" })] },
    { text: "b.ts" },
  );
  const { session, events } = await startSession(model, { store, equip });
  await session.prompt("where?");
  await session.waitUntilSettled();
  expect(brokenLaws(events)).toEqual([]);
  const expected = ["user", "assistant", "toolResult", "toolResult", "rewind-report", "assistant"];
  expect(roles(session.messages())).toEqual(expected);
  expect(messagesAt(model, 3).map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "toolResult",
    "user",
  ]);
  expect(asJson(messagesAt(model, 3))).toContain("it is in b.ts");
  expect(events).toContainEqual(
    expect.objectContaining({ type: "message_end", message: expect.objectContaining({ customType: "rewind-report" }) }),
  );
  expect(session.stats().tokens.total).toBe(40);
  await session.dispose();
  expect(readFileSync(store.file ?? "", "utf8").match(/a very long listing/g)).toHaveLength(3);
  const again = await startSession(new FakeModel(rewind, { text: "none" }), {
    store: openSessionStore(store.file ?? ""),
    equip,
  });
  expect(roles(again.session.messages())).toEqual(expected);
  await again.session.prompt("and now?");
  await again.session.waitUntilSettled();
  expect(asJson(again.session.messages())).toContain("There is no checkpoint to rewind to.");
  await again.session.dispose();
});

test("keeps a checkpoint open across a restart and allows only one", async () => {
  const first = await startSession(new FakeModel(mark, { text: "…", hang: true }), { store, equip });
  await first.session.prompt("go");
  await waitForEvent(first, (each) => each.type === "message_update" && each.piece.type === "text_delta");
  await first.session.dispose();
  const model = new FakeModel(mark, rewind, { text: "done" });
  const again = await startSession(model, { store: openSessionStore(store.file ?? ""), equip });
  await again.session.prompt("continue");
  await again.session.waitUntilSettled();
  expect(asJson(messagesAt(model, 1))).toContain("A checkpoint is already open (where it is)");
  expect(roles(again.session.messages())).toEqual(["user", "assistant", "toolResult", "rewind-report", "assistant"]);
  await again.session.dispose();
});

test("completes a requested rewind when the session is opened again", async () => {
  const { session } = await startSession(new FakeModel(mark, { calls: [call("look")] }, { text: "…" }), {
    store,
    equip,
  });
  await session.prompt("go");
  await session.waitUntilSettled();
  // As the tool leaves it when the process ends before the turn does.
  store.append({ type: "custom", customType: "rewind", data: { report: "found" } });
  await session.dispose();
  const again = await startSession(new FakeModel(), { store: openSessionStore(store.file ?? ""), equip });
  expect(roles(again.session.messages())).toEqual(["user", "assistant", "toolResult", "rewind-report"]);
  await again.session.dispose();
});

test("keeps choices made after the checkpoint", async () => {
  const equipChange: SessionOptions["equip"] = (own) => ({
    tools: () => [
      ...checkpointTools(own.marks),
      fakeTool("change", async () => {
        await session.setModel(LARGE.provider, LARGE.id);
        session.setMode("auto-edit");
        session.setTodos([{ name: "Work", tasks: [{ content: "one", status: "completed" }] }]);
        return "changed";
      }),
    ],
  });
  const model = new FakeModel(mark, { calls: [call("change")] }, rewind, { text: "done" });
  const { session } = await startSession(model, { store, equip: equipChange });
  await session.prompt("go");
  await session.waitUntilSettled();
  await session.dispose();
  const again = await startSession(new FakeModel(), {
    store: openSessionStore(store.file ?? ""),
    registry: fakeRegistry([MODEL, LARGE]),
  });
  expect(roles(again.session.messages())).toContain("rewind-report");
  expect(again.session.state()).toMatchObject({
    model: { id: "large" },
    mode: "auto-edit",
    todoPhases: [{ tasks: [{ content: "one" }] }],
  });
  await again.session.dispose();
});

test("reminds the model once if it stops with an open checkpoint", async () => {
  const model = new FakeModel(mark, { text: "b.ts" }, { text: "b.ts, as before" });
  const { session } = await startSession(model, { store, equip });
  await session.prompt("go");
  await session.waitUntilSettled();
  expect(model.requests).toHaveLength(3);
  expect(asJson(messagesAt(model, 2).slice(-1))).toContain("is still open");
  await session.dispose();
});
