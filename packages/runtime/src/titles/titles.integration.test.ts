import type { Session } from "@gantry/protocol";
import { afterEach, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const open: TestDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

async function startDaemon(config = "scribe: { agent: scripted }"): Promise<TestDaemon> {
  const daemon = new TestDaemon({ config });
  open.push(daemon);
  return daemon.start();
}

const by = (author: string) => (session: Session) => session.titleBy === author;

it("titles a session from its first message, and improves the title when the turn has ended", async () => {
  const daemon = await startDaemon();
  const session = await daemon.session("scripted", "Repair the lamp. [[say:Lighthouse Lamp Repair]]");
  expect(session).toMatchObject({ title: "Repair the lamp", titleBy: "prompt" });
  expect(await daemon.waitUntil(session.id, by("model"))).toMatchObject({ title: "Lighthouse Lamp Repair" });
  const { rows } = await daemon.client.call("usage", { query: { by: "session" } });
  expect(rows.find((row) => row.session === "scribe")).toMatchObject({ turns: 1 });
  expect(await daemon.client.sessions.list()).toMatchObject({ sessions: [{ id: session.id }] });
});

it("reviews the title a last time after the third turn", async () => {
  const daemon = await startDaemon();
  const { id } = await daemon.session("scripted", "[[say:First Title]] one");
  await daemon.waitUntil(id, by("model"));
  for (const title of ["Second Title", "Third Title", "Fourth Title"]) {
    await daemon.client.sessions.send(id, { text: `[[say:${title}]] more` });
    await daemon.waitForIdle(id);
    if (title === "Third Title") await daemon.waitUntil(id, (session) => session.title === title);
  }
  expect(await daemon.client.sessions.get(id)).toMatchObject({ title: "Third Title", turns: 4 });
});

it("never replaces a title that a person chose, at creation or later", async () => {
  const daemon = await startDaemon();
  const { cwd } = daemon;
  const prompt = "[[say:Model Title Here]] go";
  const named = await daemon.client.sessions.create({ agent: "scripted", cwd, prompt, title: "Mine" });
  const other = await daemon.session("scripted", prompt);
  const { session } = await daemon.client.sessions.patch(other.id, { title: "My lamp" });
  expect([named.titleBy, session.titleBy]).toEqual(["user", "user"]);
  const third = await daemon.session("scripted", prompt);
  await daemon.waitUntil(third.id, by("model"));
  for (const id of [named.id, other.id]) {
    await daemon.client.sessions.send(id, { text: prompt });
    await daemon.waitForIdle(id);
  }
  expect((await daemon.client.sessions.get(named.id)).title).toBe("Mine");
  expect((await daemon.client.sessions.get(other.id)).title).toBe("My lamp");
});

it("discards an invalid title and asks again", async () => {
  const daemon = await startDaemon();
  const { id } = await daemon.session("scripted", "Fix it [[say:Word]]");
  await daemon.waitForIdle(id);
  await daemon.client.sessions.send(id, { text: "[[say:Two Terms]]" });
  expect(await daemon.waitUntil(id, by("model"))).toMatchObject({ title: "Two Terms" });
});

it("sends no request without a text helper or when titles by a model are disabled", async () => {
  for (const config of ["", "scribe: { agent: scripted }\ntitles: { model: false }"]) {
    const daemon = await startDaemon(config);
    const { id } = await daemon.session("scripted", "[[say:Model Title Here]] go");
    await daemon.waitForIdle(id);
    await daemon.client.sessions.send(id, { text: "[[text]]" });
    await daemon.waitForIdle(id);
    expect((await daemon.client.call("usage", { query: { by: "session" } })).rows).toHaveLength(1);
    expect((await daemon.client.sessions.get(id)).titleBy).toBe("prompt");
  }
});

it("titles a session without a prompt from its first message, or from its attachments", async () => {
  const daemon = await startDaemon("");
  const { id, title } = await daemon.client.sessions.create({ agent: "scripted", cwd: daemon.cwd });
  expect(title).toBe("Session in project");
  const attachments = [{ name: "lamp.txt", data: "eA==", mime: "text/plain" }];
  await daemon.client.sessions.send(id, { text: " ", attachments });
  expect(await daemon.client.sessions.get(id)).toMatchObject({ title: "Attached lamp.txt", titleBy: "prompt" });
});

it("builds a summary from the log, and replaces it with a model's where that is enabled", async () => {
  const daemon = await startDaemon("");
  const { id } = await daemon.session("scripted", "[[bash]]", { mode: "full-auto" });
  expect(await daemon.waitForIdle(id)).toMatchObject({ summary: "Done: bash ran. 1 command run.", summaryBy: "log" });
  const model = await startDaemon("scribe: { agent: scripted }\nsummaries: { model: true }\ntitles: { model: false }");
  const text = "The lamp was repaired. [[say:The lamp is repaired and shines.]]";
  const second = await model.session("scripted", text);
  const done = await model.waitUntil(second.id, ({ summaryBy }) => summaryBy === "model");
  expect(done.summary).toBe("The lamp is repaired and shines.");
});
