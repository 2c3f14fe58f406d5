import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionStore } from "../contract/session-store.ts";
import { createSessionStore, openSessionStore } from "../session-files/open.ts";
import { FakeModel, fakeTool, type Started, settingsWith, startSession } from "./testing/fakes.fake.ts";

let dir: string;
let store: SessionStore;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "gantry-navigate-"));
  store = createSessionStore({ cwd: "/", dir });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function startConversation(model: FakeModel, more: Parameters<typeof startSession>[1] = {}): Promise<Started> {
  const started = await startSession(model, { store, ...more });
  for (const text of ["one", "two", "three"]) {
    await started.session.prompt(text);
    await started.session.waitUntilSettled();
  }
  return started;
}
const texts = ({ session }: Started) =>
  session.messages().map((each) => ("summary" in each ? `[${each.summary}]` : JSON.stringify(each)));
const entryOf = ({ session }: Started, text: string) =>
  session.branchMessages().find((each) => each.text === text)?.entryId ?? "";

test("moves in the tree within the same file, with a summary of the abandoned branch if requested", async () => {
  const model = new FakeModel({ text: "first" }, { text: "second" }, { text: "third" }, { text: "Two was tried." });
  const started = await startConversation(model);
  const { session } = started;
  const two = entryOf(started, "two");
  const moved = await session.navigate(two, { summarize: true, instructions: "only failures", label: "retry" });
  expect(moved).toEqual({ text: "two", summary: "Two was tried." });
  const asked = JSON.stringify(model.requests[3]?.request);
  for (const part of ["second", "[User]: three", "only failures"]) expect(asked).toContain(part);
  expect(asked).not.toContain("[User]: one");
  expect(model.requests[3]?.request.tools).toEqual([]);
  expect(texts(started)).toHaveLength(3);
  expect(texts(started)[2]).toBe("[Two was tried.]");
  model.add({ text: "better" });
  await session.prompt("two, but better");
  await session.waitUntilSettled();
  expect(JSON.stringify(model.requests[4]?.request.messages)).toContain("<summary>\\nTwo was tried.\\n</summary>");
  expect(session.stats().tokens.total).toBe(50);
  const file = session.state().sessionFile;
  await session.dispose();
  const again = await startSession(new FakeModel(), { store: openSessionStore(file ?? "") });
  expect(texts(again)).toEqual(texts(started));
  await again.session.navigate(again.session.entries().entries.findLast(({ id }) => id === two)?.id ?? "");
  expect(texts(again)).toHaveLength(2);
  await again.session.dispose();
});

test("makes no model request without a summary; the setting is the default", async () => {
  const model = new FakeModel();
  const started = await startConversation(model);
  const leaf = started.session.entries().leafId ?? "";
  expect(await started.session.navigate(entryOf(started, "one"))).toEqual({ text: "one" });
  expect(started.session.messages()).toEqual([]);
  expect(model.requests).toHaveLength(3);
  expect(await started.session.navigate(leaf)).toEqual({});
  expect(started.session.messages()).toHaveLength(6);
  await started.session.dispose();
  store = createSessionStore({ cwd: "/", dir });
  const usual = settingsWith((settings) => {
    settings.branchSummary.enabled = true;
  });
  const other = await startConversation(new FakeModel(), { settings: usual });
  expect(await other.session.navigate(entryOf(other, "three"))).toMatchObject({ summary: "Done." });
  await other.session.dispose();
});

test("does not move if the summary fails or is aborted, or if the entry does not exist", async () => {
  const failure = { category: "invalid" as const, message: "no such model" };
  const model = new FakeModel();
  const started = await startConversation(model);
  const { session } = started;
  const before = [...session.messages()];
  const target = entryOf(started, "two");
  model.add({ fail: failure }, { text: "…", hang: true });
  await expect(session.navigate(target, { summarize: true })).rejects.toThrow("no such model");
  expect(session.messages()).toEqual(before);
  const moving = session.navigate(target, { summarize: true });
  const failed = expect(moving).rejects.toThrow("Cancelled");
  while (model.requests.length < 5) await new Promise((resolve) => setImmediate(resolve));
  await session.abort();
  await failed;
  expect(session.messages()).toEqual(before);
  await expect(session.navigate("nowhere")).rejects.toThrow("There is no entry nowhere.");
  await session.dispose();
});

test("aborts the current run before it moves", async () => {
  const model = new FakeModel({ text: "first" }, { text: "second" }, { text: "third" });
  const stopped = Promise.withResolvers<void>();
  const running = Promise.withResolvers<void>();
  const endless = fakeTool("endless", async ({ signal }) => {
    running.resolve();
    signal.addEventListener("abort", () => stopped.resolve(), { once: true });
    return await new Promise<string>(() => {});
  });
  const started = await startConversation(model, { tools: [endless] });
  model.add({ calls: [{ name: "endless" }] });
  await started.session.prompt("go");
  await running.promise;
  expect(await started.session.navigate(entryOf(started, "three"))).toEqual({ text: "three" });
  await stopped.promise;
  expect(started.session.messages()).toHaveLength(4);
  await started.session.dispose();
});
