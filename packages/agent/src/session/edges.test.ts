import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Person, Secrets, ShellRunner } from "../contract/ports.ts";
import type { Approval } from "../permissions/action.ts";
import { systemPrompt } from "../prompt/system.ts";
import { createSessionStore } from "../session-files/open.ts";
import { FakeModel, fakeTool, settingsWith, startSession, waitForEvent } from "./testing/fakes.fake.ts";
import { shortenText } from "./tools/spill.ts";

const limits = { threshold: 50 * 1024, head: 20 * 1024, tail: 20 * 1024, columns: 768 };

describe("long output", () => {
  test("is spilled to an artifact that can be read again, while its beginning and end stay", async () => {
    const store = createSessionStore({ cwd: "/", inMemory: true });
    const long = Array.from({ length: 9_000 }, (_, line) => `line ${line}`).join("\n");
    const { session } = await startSession(new FakeModel({ calls: [{ name: "big" }] }), {
      store,
      tools: [fakeTool("big", () => long)],
    });
    await session.prompt("go");
    await session.waitUntilSettled();
    const result = session.messages().find((each) => each.role === "toolResult");
    const text = result?.role === "toolResult" && result.content[0]?.type === "text" ? result.content[0].text : "";
    expect(text.startsWith("line 0\n")).toBe(true);
    expect(text.endsWith("line 8999")).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThan(42 * 1024);
    const [, id = ""] = /artifact:\/\/(\S+)/.exec(text) ?? [];
    expect(store.readArtifact(id)).toBe(long);
  });

  test("stays within its limits without splitting a character", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 2_000 }), { maxLength: 60 }), (lines) => {
        const small = { threshold: 2_000, head: 500, tail: 500, columns: 100 };
        fc.pre(!lines.some((line) => line.includes("\uFFFD")));
        const { text } = shortenText(lines.join("\n"), small, () => "1");
        expect(Buffer.byteLength(text)).toBeLessThan(2_000 + 60 * 40);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toContain("\uFFFD");
      }),
    );
  });

  test("stays unchanged if it is short", () => {
    expect(shortenText("short", limits, () => "1")).toEqual({ text: "short" });
  });
});

describe("a command of the user", () => {
  const shell: ShellRunner = {
    actions: (command) => [{ kind: command === "rm" ? "bash.mutating" : "bash.readonly", command }],
    run: (command, { signal, output }) =>
      new Promise((resolve) => {
        output(`ran ${command}\n`);
        if (command !== "wait") resolve({ exitCode: 0, cancelled: false });
        signal.addEventListener("abort", () => resolve({ cancelled: true }));
      }),
  };

  test("streams its output, enters the conversation, and can be stopped", async () => {
    const started = await startSession(new FakeModel(), { shell });
    const { session, events } = started;
    expect(await session.bash("ls", { id: "b" })).toMatchObject({ output: "ran ls\n", exitCode: 0, totalLines: 1 });
    expect(events).toContainEqual({ type: "bash_execution_update", id: "b", delta: "ran ls\n" });
    expect(session.messages()).toMatchObject([{ role: "bashExecution", command: "ls" }]);
    const waiting = session.bash("wait");
    await waitForEvent(started, (each) => each.type === "bash_execution_update" && each.delta === "ran wait\n");
    await expect(session.bash("ls")).rejects.toThrow("already running");
    session.abortBash();
    expect(await waiting).toMatchObject({ cancelled: true });
  });

  test("is denied in plan mode, asked about otherwise, and free if a person typed it", async () => {
    const answers: Approval[] = [];
    const person: Person = {
      approve: async ({ toolName, title }) => answers.shift() ?? { decision: "deny", reason: `${toolName} ${title}` },
      ask: async () => undefined,
    };
    const { session } = await startSession(new FakeModel(), { shell, person, mode: "plan" });
    for (const typed of [false, true])
      await expect(session.bash("rm", { typed })).rejects.toThrow("Plan mode only reads");
    expect(await session.bash("ls")).toMatchObject({ exitCode: 0 });
    session.setMode("ask");
    await expect(session.bash("rm")).rejects.toThrow("The user declined this command. bash rm");
    expect(await session.bash("rm", { typed: true })).toMatchObject({ exitCode: 0 });
    answers.push({ decision: "session" });
    for (const _ of [1, 2]) expect(await session.bash("rm")).toMatchObject({ exitCode: 0 });
    const alone = await startSession(new FakeModel(), { shell, mode: "ask" });
    await expect(alone.session.bash("rm")).rejects.toThrow("No person is available");
  });
});

test("redacts secrets in requests and restores them in tools, events and the conversation", async () => {
  const swap = (text: string, from: string, to: string) => text.replaceAll(from, to);
  const swapDeep = (value: unknown, from: string, to: string) => JSON.parse(swap(JSON.stringify(value), from, to));
  const secrets: Secrets = {
    seal: (body) => swapDeep(body, "hunter2", "#AB12#"),
    open: (value) => swapDeep(value, "#AB12#", "hunter2"),
    opener: () => {
      let held = "";
      return {
        push(delta) {
          held += delta;
          return "";
        },
        end: () => swap(held, "#AB12#", "hunter2"),
      };
    },
  };
  const got: (string | undefined)[] = [];
  const model = new FakeModel({ calls: [{ name: "echo", args: { value: "pw #AB12#" } }] }, { text: "It is #AB12#." });
  const { session, events } = await startSession(model, {
    secrets,
    tools: [fakeTool("echo", (_, { value }) => `${got.push(value)}`)],
  });
  await session.prompt("use hunter2");
  await session.waitUntilSettled();
  expect(got).toEqual(["pw hunter2"]);
  expect(session.lastAssistantText()).toBe("It is hunter2.");
  expect(JSON.stringify(events)).not.toContain("#AB12#");
  const sealed = model.requests[1]?.request;
  expect(JSON.stringify(sealed?.seal?.(sealed.messages))).not.toContain("hunter2");
});

test("requests the intent of a call and shows it without passing it to the tool", async () => {
  const settings = settingsWith((each) => {
    each.tools.intentTracing = true;
  });
  const got: unknown[] = [];
  const model = new FakeModel({ calls: [{ name: "echo", args: { _i: "to see", value: "x" } }] });
  const { session, events } = await startSession(model, {
    settings,
    tools: [fakeTool("echo", (_, args) => `${got.push(args)}`)],
  });
  await session.prompt("go");
  await session.waitUntilSettled();
  expect(model.requests[0]?.request.tools[0]?.parameters).toMatchObject({ required: ["_i"] });
  expect(events.find((each) => each.type === "tool_execution_start")).toMatchObject({
    intent: "to see",
    args: { value: "x" },
  });
  expect(got).toEqual([{ value: "x" }]);
});

test("orders the system prompt from stable to variable blocks", () => {
  const parts = {
    tools: [],
    schemes: [],
    rules: ["RULES"],
    cwd: "/here",
    folders: [],
    day: "2026-01-01",
    platform: "linux",
  };
  const asking = systemPrompt({ ...parts, mode: "ask", gitBranch: "main" });
  expect(asking.at(-1)).toContain("Git branch at the start: main");
  expect(systemPrompt({ ...parts, mode: "plan", gitBranch: "main" }).slice(0, asking.length)).toEqual(asking);
  expect(systemPrompt({ ...parts, mode: "ask", custom: "Mine." })[0]).toBe("Mine.");
});
