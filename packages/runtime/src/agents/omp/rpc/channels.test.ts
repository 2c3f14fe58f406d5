import { describe, expect, it } from "vitest";
import type { Channel, Frame } from "../../contract.ts";
import { data, launch, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { rpc } from "./channels.ts";

const channel = rpc as unknown as Channel<unknown>;
const out = (msg: object): Frame => ({ dir: "out", msg });
const sentFrame = (msg: object): Frame => ({ dir: "in", msg });
const prompt = sentFrame({ id: "msg_1", type: "prompt", message: "go" });

it("leaves approvals to the gate and reports subagents", () => {
  const { args, files } = rpc.launch({ ...launch, dir: "/given", mode: "ask", resume: "s-1" });
  expect(args).toEqual([
    ...["--mode", "rpc", "--no-title", "--approval-mode", "yolo", "--resume", "s-1"],
    ...["--extension", "/given/gate.mjs"],
  ]);
  expect(Object.keys(files ?? {})).toEqual(["gate.mjs"]);
  expect(rpc.launch({ ...launch, mode: "inherit" }).args).toEqual(["--mode", "rpc", "--no-title"]);
  expect(channel.open(channel.initial(launch)).map(({ msg }) => msg)).toContainEqual({
    ...{ id: "open-set_subagent_subscription", type: "set_subagent_subscription", level: "progress" },
  });
});

describe("subagents", () => {
  const payload = { id: "BraveOtter", agent: "task", agentSource: "bundled", index: 0, parentToolCallId: "c1" };
  const lifecycle = (more: object) => out({ type: "subagent_lifecycle", payload: { ...payload, ...more } });

  it("begin within the call that started them, work and end", () => {
    const { outputs } = play(rpc, [
      prompt,
      out({ type: "agent_start" }),
      out({ type: "tool_execution_start", toolCallId: "c1", toolName: "task", args: { task: "look" } }),
      lifecycle({ status: "started", description: "Look around" }),
      out({ type: "subagent_progress", payload: { progress: { agent: "task", currentTool: "grep" } } }),
      lifecycle({ status: "failed" }),
    ]);
    const [tool] = data(outputs, "tool.started");
    expect(data(outputs, "subagent.started")).toEqual([
      { id: "BraveOtter", parent: tool?.item, type: "task", title: "Look around" },
    ]);
    expect(outputsOfKind(outputs, "activity")).toEqual([{ kind: "activity", state: "subagent", detail: "task: grep" }]);
    expect(data(outputs, "subagent.ended")).toEqual([{ id: "BraveOtter", status: "error" }]);
  });
});

describe("commands that need no model", () => {
  const acceptedFrame = (more: object = {}) =>
    out({ id: "msg_1", type: "response", command: "prompt", success: true, ...more });

  it("publish their output and end with the response", () => {
    const { outputs } = play(rpc, [
      prompt,
      out({ type: "command_output", text: "Usage: none" }),
      acceptedFrame({ data: { agentInvoked: false } }),
    ]);
    expect(outputsOfKind(outputs, "taken")).toEqual([{ kind: "taken", message: "msg_1", inline: false }]);
    expect(data(outputs, "message.done")).toMatchObject([{ text: "Usage: none" }]);
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "completed" }]);
  });

  it("of extensions end with a later result, which ignores a mode change", () => {
    const { outputs } = play(rpc, [
      sentFrame({ id: "set-0", type: "prompt", message: "/gantry-mode plan" }),
      out({ id: "set-0", type: "response", command: "prompt", success: true }),
      out({ type: "prompt_result", id: "set-0", agentInvoked: false }),
      prompt,
      acceptedFrame(),
    ]);
    expect(outputsOfKind(outputs, "finish")).toEqual([]);
    const over = play(rpc, [prompt, acceptedFrame(), out({ type: "prompt_result", id: "msg_1", agentInvoked: false })]);
    expect(outputsOfKind(over.outputs, "finish")).toMatchObject([{ outcome: "completed" }]);
  });
});

it("withdraws a question that the agent cancels", () => {
  const { outputs, state } = play(rpc, [
    out({ type: "extension_ui_request", id: "q", method: "input", title: "Name?" }),
    out({ type: "extension_ui_request", id: "r", method: "cancel", targetId: "q" }),
  ]);
  expect(outputsOfKind(outputs, "withdrawn")).toMatchObject([{ key: "q" }]);
  expect(channel.encode(state, { type: "interrupt" })).toHaveLength(1);
});

it("publishes command output without its wall time, which is separate", () => {
  const content = [{ type: "text", text: "to-stderr\n\n\nWall time: 0.02 seconds\n\nCommand exited with code 7" }];
  const { outputs } = play(rpc, [
    prompt,
    out({ type: "agent_start" }),
    out({ type: "tool_execution_start", toolCallId: "c1", toolName: "bash", args: { command: "x" } }),
    out({
      ...{ type: "tool_execution_end", toolCallId: "c1", isError: true },
      result: { content, details: { wallTimeMs: 15.6, exitCode: 7 } },
    }),
  ]);
  expect(data(outputs, "tool.ended")).toMatchObject([
    { output: "to-stderr\n\nCommand exited with code 7", exitCode: 7, durationMs: 15.6 },
  ]);
});
