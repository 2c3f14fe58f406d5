import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { streamModel } from "@gantry/models";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import type { Rules } from "../contract/rules.ts";
import { UNKNOWN_OUTCOME } from "../loop/to-model.ts";
import { createSessionStore, openSessionStore } from "../session-files/open.ts";
import { defineTool } from "../tools/define.ts";
import {
  brokenLaws,
  FakeModel,
  fakeCredentials,
  fakeRegistry,
  MODEL,
  OTHER,
  settingsWith,
  startSession,
  waitForEvent,
} from "./testing/fakes.fake.ts";

let dir: string;
let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel({ defaults: { pace: 0, slowPace: 5 } });
});
afterAll(() => server.close());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "gantry-resume-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("resumes after a kill in the middle of a turn with everything that was published", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "testing/hanging.fake.ts"), dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  child.kill("SIGKILL");
  await once(child, "exit");
  const store = openSessionStore(line.toString().trim());
  const { session, model } = await startSession(new FakeModel({ text: "I looked." }), { store });
  expect(session.messages()).toMatchObject([
    { role: "user", content: "go" },
    { role: "assistant", content: [{ text: "I begin." }, { name: "quick" }, { name: "endless" }] },
    { role: "toolResult", content: [{ text: "done before" }] },
    { role: "toolResult", isError: true, content: [{ text: UNKNOWN_OUTCOME }] },
  ]);
  await session.prompt("and now?");
  await session.waitUntilSettled();
  expect(model.requests[0]?.request.messages).toHaveLength(5);
  await session.dispose();
  const again = await startSession(new FakeModel(), { store: openSessionStore(store.file ?? "") });
  expect(again.session.messages()).toHaveLength(6);
  await again.session.dispose();
});

test("uses the right file, clears the queue and returns the text on new, switch and branch", async () => {
  const store = createSessionStore({ cwd: "/", dir });
  const stores = {
    create: () => createSessionStore({ cwd: "/", dir }),
    open: (path: string) => openSessionStore(path),
    branch: () => createSessionStore({ cwd: "/", dir }),
  };
  const { session } = await startSession(new FakeModel({ text: "one" }, { text: "two" }), { store, stores });
  await session.prompt("first");
  await session.waitUntilSettled();
  const { id } = session;
  const file = session.state().sessionFile ?? "";
  const [message] = session.branchMessages();
  expect(message?.text).toBe("first");
  await session.newSession();
  expect(session.id).not.toBe(id);
  expect(session.messages()).toEqual([]);
  await expect(session.switchSession(join(dir, "nowhere.jsonl"))).rejects.toThrow("no session");
  expect(session.messages()).toEqual([]);
  await session.switchSession(file);
  expect(session.id).toBe(id);
  expect(session.lastAssistantText()).toBe("one");
  expect(await session.branch(message?.entryId ?? "")).toEqual({ text: "first" });
  await expect(session.branch("nothing!")).rejects.toThrow("not a user message");
  await session.dispose();
  await expect(session.prompt("x")).rejects.toThrow("has ended");
});

const scriptedModel = () => ({
  ...MODEL,
  id: "scripted-model",
  provider: "scripted",
  baseUrl: `${server.url}/v1`,
});

const write = (files: string[]) =>
  defineTool({
    name: "write",
    label: "Write",
    description: "Writes a file.",
    schema: z.object({ file_path: z.string(), content: z.string() }),
    actions: () => [{ kind: "inner" }],
    run: async ({ file_path, content }) => {
      files.push(`${file_path}: ${content}`);
      return "written";
    },
  });

test("completes a tool round trip and an abort during a stream over the wire", async () => {
  const files: string[] = [];
  const started = await startSession(new FakeModel(), {
    stream: streamModel,
    registry: fakeRegistry([scriptedModel()]),
    credentials: fakeCredentials("sk-test"),
    tools: [write(files)],
  });
  const { session, events } = started;
  await session.prompt("[[write]] [[cwd:/work/here]] go");
  await session.waitUntilSettled();
  expect(files).toEqual(["/work/here/hello.txt: hello world\n"]);
  expect(session.stats()).toMatchObject({ toolCalls: 1, toolResults: 1 });
  expect(session.stats().tokens.total).toBeGreaterThan(0);
  events.length = 0;
  await session.prompt("[[slow]] go");
  await waitForEvent(started, (each) => each.type === "message_update");
  await session.abort();
  expect(events.at(-1)).toEqual({ type: "agent_settled", reason: "aborted" });
  expect(session.messages().at(-1)).toMatchObject({ role: "assistant", stopReason: "aborted" });
  expect(brokenLaws(events)).toEqual([]);
  await session.dispose();
});

test("restores the user's choices on resume, but not temporary models", async () => {
  const thinker = { ...MODEL, reasoning: true };
  const registry = fakeRegistry([thinker, OTHER]);
  const store = createSessionStore({ cwd: "/", dir });
  const settings = settingsWith((each) => {
    each.retry.fallbackChains = { default: ["elsewhere/other"] };
  });
  const gone = { category: "overloaded" as const, message: "too many" };
  const model = new FakeModel({ text: "one" }, { fail: gone }, { text: "from the other" });
  const { session } = await startSession(model, { store, registry, settings });
  await session.prompt("first");
  await session.waitUntilSettled();
  session.setThinkingLevel("low");
  store.append({ type: "ttsr_injection", injectedRules: ["kind"] });
  await session.prompt("second");
  await session.waitUntilSettled();
  expect(session.state().model).toMatchObject({ id: "other" });
  await session.dispose();
  const restored: (readonly string[])[] = [];
  const rules: Rules = {
    system: () => [],
    problems: [],
    watch: { begin: () => undefined, feed: () => undefined, end: () => undefined },
    injectFor: () => undefined,
    restore: (names) => void restored.push(names),
    urls: { read: async () => ({ text: "" }) },
    list: () => [],
  };
  const again = await startSession(new FakeModel(), { store: openSessionStore(store.file ?? ""), registry, rules });
  expect(again.session.state()).toMatchObject({ model: { id: "small" }, thinkingLevel: "low" });
  expect(restored.at(-1)).toEqual(["kind"]);
  await again.session.dispose();
});

test("syncs a turn to disk before its end is published", async () => {
  const store = createSessionStore({ cwd: "/", dir });
  const order: string[] = [];
  const flush = store.flush.bind(store);
  store.flush = () => {
    order.push("flush");
    flush();
  };
  const { session } = await startSession(new FakeModel({ text: "one" }), { store });
  session.subscribe(({ type }) => order.push(type));
  await session.prompt("first");
  await session.waitUntilSettled();
  expect(order.slice(order.indexOf("flush"))).toEqual(["flush", "turn_end", "agent_end", "agent_settled"]);
  store.flush = () => {
    throw new Error("the disk is gone");
  };
  await session.prompt("second");
  await session.waitUntilSettled();
  expect(order).toContain("notice");
  expect(order.at(-1)).toBe("agent_settled");
  store.flush = flush;
  await session.dispose();
});
