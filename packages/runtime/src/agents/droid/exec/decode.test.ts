import { expect, it } from "vitest";
import type { Frame } from "../../contract.ts";
import { data, launch, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { exec } from "./channel.ts";

const FORBIDDEN = "Exec ended early: insufficient permission to proceed. Re-run with --auto medium or --auto high.";
const out = (msg: object): Frame => ({ dir: "out", msg: { session_id: "s", ...msg } });

it("reports a call that the level forbids as denied, and fails the turn with a remedy", () => {
  const { outputs } = play(exec, [
    out({ type: "message", role: "user", id: "u", text: "go" }),
    out({ type: "tool_call", id: "t", toolName: "Execute", parameters: { command: "touch a" } }),
    out({ type: "tool_result", id: "t", isError: true, error: { type: "tool_error", message: `Error: ${FORBIDDEN}` } }),
    out({ type: "error", source: "agent_loop", message: FORBIDDEN }),
    out({ type: "error", source: "cli", message: "Exec failed" }),
  ]);
  expect(data(outputs, "tool.ended")).toMatchObject([{ status: "denied" }]);
  const error = { category: "tool", remedy: expect.stringContaining("mode") };
  expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "failed", error }]);
});

it("ignores the default model of the first line unless a model was specified", () => {
  const init = [out({ type: "system", subtype: "init", model: "gpt-5.6-sol" })];
  expect(outputsOfKind(play(exec, init).outputs, "ready")).toEqual([{ kind: "ready", handle: "s" }]);
  const named = play(exec, init, { ...launch, model: "gpt-5.6-sol" }).outputs;
  expect(outputsOfKind(named, "ready")).toEqual([{ kind: "ready", handle: "s", model: "gpt-5.6-sol" }]);
});
