import { expect, it } from "vitest";
import type { ProbeTools } from "../contract.ts";
import { converseResult } from "../finding/testing/machine.ts";
import { data, framesOf, launch, outputsOfKind, play } from "../json-lines/recordings.fake.ts";
import { streamJson } from "./channel.ts";
import { amp } from "./descriptor.ts";

const playFixture = (name: string) => play(streamJson, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;

it("adds up the tokens of its messages, since its result has none", () => {
  expect(outputsOfKind(playFixture("tool-turn"), "finish")[0]?.usage).toEqual({
    ...{ input: 2637, output: 44, cacheRead: 2300, cacheWrite: 320, reasoning: 0 },
  });
});

it("publishes a subagent's messages inside its call", () => {
  const assistant = (parent: string | null, content: unknown[]) => ({
    dir: "out" as const,
    msg: { type: "assistant", message: { content }, parent_tool_use_id: parent, session_id: "T-1" },
  });
  const { outputs } = play(streamJson, [
    assistant(null, [{ type: "tool_use", id: "t1", name: "Task", input: { description: "look" } }]),
    assistant("t1", [{ type: "text", text: "looking" }]),
  ]);
  expect(data(outputs, "message.done")).toMatchObject([{ text: "looking", parent: "itm_00000000.t1" }]);
});

it("resumes a thread by its id", () => {
  expect(streamJson.launch({ ...launch, resume: "T-1", model: "low" }).args).toEqual([
    ...["threads", "continue", "T-1", "--execute", "--stream-json-thinking", "--mode", "low"],
  ]);
});

it("reports its version and an unknown login state", async () => {
  const tools = (stdout: string): ProbeTools => ({
    bin: "/bin/amp",
    env: { AMP_API_KEY: "x" },
    run: async () => ({ code: 0, stdout, stderr: "", timedOut: false }),
    converse: async () => converseResult([]),
  });
  expect(await amp.probe(tools("0.0.1762 (released)"))).toMatchObject({
    ok: true,
    version: "0.0.1762",
    auth: { state: "unknown" },
  });
  expect(await amp.probe(tools(""))).toMatchObject({ ok: false });
});

it("unwraps command output and publishes a task as a subagent", () => {
  const line = (type: string, content: object[]) => ({
    dir: "out" as const,
    msg: { type, message: { role: type, content }, parent_tool_use_id: null, session_id: "T-1" },
  });
  const { outputs } = play(streamJson, [
    line("assistant", [
      { type: "tool_use", id: "b1", name: "Bash", input: { cmd: "make" } },
      { type: "tool_use", id: "t1", name: "Task", input: { description: "look", prompt: "look around" } },
    ]),
    line("user", [{ type: "tool_result", tool_use_id: "b1", content: '{"output":"no rule\\n","exitCode":2}' }]),
    line("user", [{ type: "tool_result", tool_use_id: "t1", content: "All is well.", is_error: false }]),
  ]);
  expect(data(outputs, "tool.ended")).toMatchObject([
    { status: "error", output: "no rule\n", exitCode: 2 },
    { status: "ok", output: "All is well." },
  ]);
  expect(data(outputs, "subagent.started")).toMatchObject([{ title: "look" }]);
  expect(data(outputs, "subagent.ended")).toMatchObject([{ status: "ok", summary: "All is well." }]);
});
