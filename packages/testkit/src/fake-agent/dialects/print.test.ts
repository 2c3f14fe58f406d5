import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asObject, asObjects, asText, type Json } from "@gantry/scripted/json";
import { describe, expect, type TestContext, test, vi } from "vitest";
import { startFake } from "../testing/acp-talk.ts";
import type { FaultSpec } from "../write-fake-agent.ts";

vi.setConfig({ testTimeout: 60_000 });

const ARGS = {
  amp: ["--execute", "--stream-json-thinking"],
  cursor: ["--print", "--output-format", "stream-json", "--stream-partial-output"],
} as const;
const FREE = { amp: "--dangerously-allow-all", cursor: "--force" } as const;

type Program = keyof typeof ARGS;

/** Runs one turn to the end of the process. */
async function turn(
  { onTestFinished }: TestContext,
  program: Program,
  prompt: string,
  { fault, home, args = [] }: { fault?: FaultSpec; home?: string; args?: string[] } = {},
) {
  const before = args[0] === "threads" ? args : [];
  const after = args[0] === "threads" ? [] : args;
  const fake = startFake(program, { fault, home, args: [...before, ...ARGS[program], ...after] });
  onTestFinished(fake.dispose);
  fake.agent.sendText(prompt);
  fake.agent.hangUp();
  return { ...fake, frames: fake.agent.frames, end: await fake.agent.exit };
}

const textOf = (frame: Json) => asText(asObject(asObjects(asObject(frame.message).content)[0]).text);

describe.concurrent.each(["amp", "cursor"] as const)("%s", (program) => {
  test("prints the conversation id, the reply and the result, and exits", async (context) => {
    const { frames, end } = await turn(context, program, "[[think]]");
    expect(end.code).toBe(0);
    expect(frames[0]).toMatchObject({ type: "system", subtype: "init" });
    expect(JSON.stringify(frames)).toContain("First A, then B.");
    expect(frames.at(-1)).toMatchObject({ type: "result", subtype: "success", is_error: false });
    expect(new Set(frames.map(({ session_id }) => session_id)).size).toBe(1);
  });

  test("executes a call only with the argument that allows it", async (context) => {
    const careful = await turn(context, program, "[[bash]]");
    expect(existsSync(join(careful.cwd, "bash.txt"))).toBe(false);
    const free = await turn(context, program, "[[bash]]", { args: [FREE[program]] });
    expect(readFileSync(join(free.cwd, "bash.txt"), "utf8")).toBe("hi-from-bash\n");
  });

  test("resumes a conversation by id, and rejects an unknown one", async (context) => {
    const { home, frames } = await turn(context, program, "[[text]]");
    const id = asText(frames[0]?.session_id);
    const resumeArgs = (name: string) => (program === "amp" ? ["threads", "continue", name] : ["--resume", name]);
    const next = await turn(context, program, "[[text]]", { home, args: resumeArgs(id) });
    expect(next.frames[0]).toMatchObject({ session_id: id });
    const lost = await turn(context, program, "[[text]]", { home, args: resumeArgs("unknown") });
    expect([lost.end.code, lost.frames]).toEqual([1, []]);
  });

  test.for<[FaultSpec, number | null]>([
    ["exit-at-once:7", 7],
    ["crash-after-accept", 1],
    ["exit-mid:9", 9],
    ["crash-signal", null],
    ["logged-out", 1],
  ])("%s prints no successful result", async ([fault, code], context) => {
    const { frames, end } = await turn(context, program, "[[text]]", { fault });
    expect(end.code).toBe(code);
    expect(frames.filter(({ type, is_error }) => type === "result" && is_error === false)).toEqual([]);
  });

  test.for<FaultSpec>(["garbage", "unknown-frames", "partial-line", "flood:1"])(
    "%s: the answer is there all the same",
    async (fault, context) => {
      const { frames } = await turn(context, program, "[[text]]", { fault });
      expect(frames.map(textOf)).toContain("Hello from the scripted agent. The answer is 42.");
    },
  );
});

test.concurrent("cursor streams chunks with a timestamp, then the full text", async (context) => {
  const { frames } = await turn(context, "cursor", "[[text]]");
  const messages = frames.filter(({ type }) => type === "assistant");
  const pieces = messages.filter((frame) => "timestamp_ms" in frame);
  expect(pieces.map(textOf).join("")).toBe(textOf(messages.at(-1) ?? {}));
  expect(messages.at(-1)).not.toHaveProperty("timestamp_ms");
});
