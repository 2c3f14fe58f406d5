import { describe, expect, it } from "vitest";
import { streamJson as amp } from "../amp/channel.ts";
import { streamJson as claude } from "../claude/channel.ts";
import { json as cline } from "../cline/json/channel.ts";
import { exec as codex } from "../codex/exec/channel.ts";
import type { Channel, LaunchOptions } from "../contract.ts";
import { json as copilot } from "../copilot/json/channel.ts";
import { print as cursor } from "../cursor/print/channel.ts";
import { exec as droid } from "../droid/exec/channel.ts";
import { streamJson as gemini } from "../gemini/stream-json/channel.ts";
import { streamJson as kimi } from "../kimi/stream-json/channel.ts";
import { json as omp } from "../omp/rpc/channels.ts";
import { run as opencode } from "../opencode/run/channel.ts";
import { json as pi } from "../pi/channels.ts";
import { plainChannel } from "../plain/channel.ts";
import { streamJson as qwen } from "../qwen/stream-json/channel.ts";
import { data, launch, outputsOfKind, play } from "./recordings.fake.ts";

const prompt = { message: "msg_1", text: "secret prompt" };
const args = (channel: Channel<never>, options: Partial<LaunchOptions> = {}) =>
  channel.launch({ ...launch, prompt, ...options }).args;

/** Each program with its arguments for a plain run, for its most permissive mode, and for a resumed conversation. */
const programs: [string, Channel<never>, string[], string, string[]][] = [
  ["amp", amp, ["--execute", "--stream-json-thinking"], "--dangerously-allow-all", ["threads", "continue", "c-1"]],
  ["cline", cline, ["--json"], "true", ["--id", "c-1"]],
  ["copilot", copilot, ["--output-format", "json"], "--allow-all-tools", ["--resume=c-1"]],
  ["cursor", cursor, ["--print", "--output-format", "stream-json"], "--force", ["--resume", "c-1"]],
  ["droid", droid, ["exec", "--output-format", "stream-json"], "high", ["-s", "c-1"]],
  ["gemini", gemini, ["--output-format", "stream-json"], "yolo", ["--resume", "c-1"]],
  ["kimi", kimi, ["--output-format", "stream-json"], "stream-json", ["-S", "c-1"]],
  ["omp", omp, ["-p", "--mode", "json", "--no-title"], "yolo", ["--resume", "c-1"]],
  ["opencode", opencode, ["run", "--format", "json"], `gantry-full-auto-${launch.uuid.slice(0, 8)}`, ["-s", "c-1"]],
  ["pi", pi, ["--mode", "json"], "json", ["--session", "c-1"]],
  ["qwen", qwen, ["--output-format", "stream-json"], "yolo", ["--resume", "c-1"]],
  ["plain", plainChannel(() => ["--quiet"]), ["--quiet"], "--quiet", []],
];

describe.each(programs)("%s", (_, channel, plainRun, freest, resumed) => {
  it("gets its prompt from stdin and never on its command line", () => {
    for (const mode of ["plan", "ask", "auto-edit", "full-auto", "inherit"] as const) {
      for (const resume of [undefined, "c-1"]) {
        expect(args(channel, { mode, resume, model: "a/b", effort: "high" }).join(" ")).not.toContain("secret");
      }
    }
    expect(channel.perTurn).toBe(true);
    expect(channel.open({} as never)).toEqual([]);
    expect(channel.encode({} as never, { type: "interrupt" })).toBeUndefined();
  });

  it("receives its mode and conversation", () => {
    expect(args(channel)).toEqual(expect.arrayContaining(plainRun));
    expect(args(channel, { mode: "full-auto" })).toContain(freest);
    expect(args(channel, { resume: "c-1" })).toEqual(expect.arrayContaining(resumed));
  });

  it("accepts the message that started it and fails with its stderr", () => {
    const { outputs } = play(
      channel,
      [
        { dir: "err", text: "Error: 401 Unauthorized" },
        { dir: "end", code: 1, signal: null },
      ],
      { ...launch, prompt },
    );
    expect(outputs.slice(0, 2)).toEqual([
      { kind: "begin", messages: ["msg_1"] },
      { kind: "taken", message: "msg_1", inline: false },
    ]);
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "failed", error: { category: "auth" } }]);
  });

  it("stores unknown and oversize lines as raw", () => {
    const { outputs } = play(channel, [
      { dir: "out", msg: { type: "brand_new" } },
      { dir: "out", oversize: 10, head: "{" },
    ]);
    const shown = data(outputs, "raw").length + outputsOfKind(outputs, "delta").length;
    expect(shown).toBe(2);
  });
});

describe("plain text", () => {
  it("is one message, and the exit code is its outcome", () => {
    const answer = (code: number) =>
      play(plainChannel(), [
        { dir: "out", text: "one" },
        { dir: "out", text: "two" },
        { dir: "end", code, signal: null },
      ]).outputs;
    expect(outputsOfKind(answer(0), "delta").map(({ text }) => text)).toEqual(["one", "\ntwo"]);
    expect(outputsOfKind(answer(0), "finish")).toMatchObject([{ outcome: "completed" }]);
    expect(outputsOfKind(answer(2), "finish")).toMatchObject([{ outcome: "failed", error: { category: "crashed" } }]);
    const silent = play(plainChannel(), [{ dir: "end", code: 0, signal: null }]).outputs;
    expect(outputsOfKind(silent, "finish")).toMatchObject([{ outcome: "failed", error: { category: "unknown" } }]);
  });

  it("is recognised only if no other channel matches", () => {
    expect(plainChannel().recognises(["hello", "there"])).toBe(true);
    expect(plainChannel().recognises(["hello", { type: "x" }])).toBe(false);
    expect(plainChannel().recognises([])).toBe(false);
  });

  it("of a program that was started without JSON output is decoded", () => {
    const { outputs } = play(gemini, [
      { dir: "out", text: "The answer" },
      { dir: "out", text: "is 42." },
      { dir: "end", code: 0, signal: null },
    ]);
    expect(data(outputs, "message.done")).toMatchObject([{ text: "The answer\nis 42." }]);
  });

  it.each([
    ["gemini", gemini],
    ["codex", codex],
    ["claude", claude as unknown as Channel<never>],
  ])("that consists of cut messages fails the turn of %s as a breach of the protocol", (_, channel) => {
    const { outputs } = play(channel, [
      { dir: "out", text: '{"type":"message","text":"hel' },
      { dir: "out", text: '{"type":"result"' },
      { dir: "end", code: 0, signal: null },
    ]);
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "failed", error: { category: "protocol" } }]);
    expect(data(outputs, "raw")).toHaveLength(1);
    expect(data(outputs, "message.done")).toEqual([]);
  });
});
