import { expect, test } from "vitest";
import { FakeConversation } from "../acp/testing/conversation.ts";
import { promptText } from "../claude/history/prompts.ts";
import { data as claudeData, play as playClaude } from "../claude/recordings.fake.ts";
import { FakeAppServer } from "../codex/app-server/conversation.ts";
import { readReconnect } from "../codex/failures.ts";
import type { Frame } from "../contract.ts";
import { streamJsonRpc } from "../droid/exec/rpc/channel.ts";
import { data, play } from "../json-lines/recordings.fake.ts";
import { kilo } from "../kilo/descriptor.ts";
import { kimi } from "../kimi/descriptor.ts";
import { opencode } from "../opencode/descriptor.ts";
import { serve } from "../opencode/serve/channel.ts";
import { rpc } from "../pi/channels.ts";

/**
 * Text of an agent, of a provider or of a command, made to match the beginning of a pattern again and again. One line is
 * decoded in one turn of the event loop: a pattern that needs more than linear time would stop the daemon for minutes.
 */
const long = (unit: string) => unit.repeat(Math.ceil(400_000 / unit.length));
const out = (msg: object): Frame => ({ dir: "out", msg });

test.each([
  [opencode, 'message="stream error" small=false '],
  [opencode, "service=session.processor error=x "],
  [kilo, 'message="stream error" small=false '],
])("decodes a long log line: %#", (agent, unit) => {
  const conversation = FakeConversation.startTurn(agent);
  expect(conversation.decode({ dir: "err", text: long(unit) })).toEqual([]);
});

test("decodes the long output of a command that resembles one in the background", () => {
  const conversation = FakeConversation.startTurn(kimi);
  conversation.update({ sessionUpdate: "tool_call", toolCallId: "t1", kind: "execute", title: "Bash" });
  const content = [{ type: "content", content: { type: "text", text: long("task_id: a\npid: 1\n") } }];
  const end = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed", content };
  expect(conversation.update(end)).toMatchObject([{ event: { type: "tool.ended" } }]);
});

test("decodes output of many blank lines", () => {
  const blank = `start${long("\n")}end`;
  const call = { toolCallId: "t1", toolName: "bash" };
  const { outputs } = play(rpc, [
    ...[out({ type: "agent_start" }), out({ type: "tool_execution_start", ...call, args: { command: "x" } })],
    out({ type: "tool_execution_end", ...call, result: { content: [{ type: "text", text: blank }] } }),
  ]);
  expect(data(outputs, "tool.ended")).toMatchObject([{ output: blank }]);
  const notification = (line: object) => out({ method: "droid.session_notification", params: { notification: line } });
  const droid = play(streamJsonRpc, [
    notification({ type: "tool_call", toolUse: { id: "t1", name: "Execute", input: { command: "x" } } }),
    notification({ type: "tool_result", toolUseId: "t1", content: blank, isError: false }),
  ]);
  expect(data(droid.outputs, "tool.ended")).toMatchObject([{ output: blank }]);
});

test("decodes long messages with unclosed markers", () => {
  const server = FakeAppServer.startTurn();
  const item = { type: "agentMessage", id: "m", text: long("<proposed_plan>") };
  expect(server.notify("item/completed", { item })).toContainEqual(
    expect.objectContaining({ event: expect.objectContaining({ type: "message.done" }) }),
  );
  const args = long("<command-args>");
  expect(promptText(`<command-name>/x</command-name>${args}`)).toBe("/x");
  const part = {
    type: "tool",
    callID: "c",
    tool: "task",
    state: { status: "completed", output: long("<task_result> ") },
  };
  const frame = out({ type: "message.part.updated", properties: { part } });
  expect(() => play(serve, [frame])).not.toThrow();
});

test("classifies long error messages", () => {
  const result = { type: "result", subtype: "error_during_execution", is_error: true, result: long("model ") };
  const { outputs } = playClaude([out({ type: "system", subtype: "init", session_id: "s" }), out(result)]);
  expect(claudeData(outputs, "raw")).toEqual([]);
  expect(readReconnect(`Reconnecting... ${long("1")}`)).not.toHaveProperty("attempt");
});
