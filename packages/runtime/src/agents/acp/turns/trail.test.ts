import { expect, test } from "vitest";
import { claudeAgentAcp } from "../../claude-agent-acp/descriptor.ts";
import { defineAgent } from "../../contract.ts";
import { gemini } from "../../gemini/descriptor.ts";
import { kimi } from "../../kimi/descriptor.ts";
import { acp } from "../acp.ts";
import { acp as anyAgent, standardDialect } from "../descriptor.ts";
import { FakeConversation, SESSION } from "../testing/conversation.ts";

function startTrail(agent = gemini): FakeConversation {
  const conversation = FakeConversation.startTurn(agent);
  conversation.trails = true;
  conversation.update({ sessionUpdate: "tool_call", toolCallId: "t1", kind: "read", title: "Read", status: "pending" });
  conversation.sendText("Hel");
  expect(conversation.answer({ stopReason: "end_turn" })).toEqual([]);
  expect(conversation.trailMs).toBe(50);
  return conversation;
}

test("assigns trailing output to the ended turn", () => {
  const conversation = startTrail();
  expect(conversation.sendText("lo")).toMatchObject([{ kind: "delta", text: "lo" }]);
  expect(
    conversation.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" }),
  ).toMatchObject([{ event: { type: "tool.ended", data: { status: "ok" } } }]);
  const cost = { amount: 0.25, currency: "USD" };
  conversation.update({ sessionUpdate: "usage_update", used: 5, size: 10, cost });
  expect(conversation.trailOver()).toMatchObject([
    { event: { type: "message.done", data: { text: "Hello" } } },
    { kind: "finish", outcome: "completed", cost: { usd: 0.25 } },
  ]);
  expect(conversation.trailMs).toBeUndefined();
  expect(conversation.trailOver()).toEqual([]);
  conversation.sendText("Much later.");
  expect(conversation.decode({ dir: "end", code: 0, signal: null })).toMatchObject([
    { event: { type: "notice", data: { kind: "late_text", text: "Much later." } } },
  ]);
});

test("waits longer, and again after each chunk, once text has followed the end", () => {
  const late = (conversation: FakeConversation) => [conversation.trailMs, conversation.state.turn?.late];
  const conversation = startTrail();
  expect(late(conversation)).toEqual([50, undefined]);
  conversation.update({ sessionUpdate: "usage_update", used: 5, size: 10 });
  expect(late(conversation)).toEqual([50, undefined]);
  conversation.sendText("l");
  expect(late(conversation)).toEqual([1000, 1]);
  conversation.sendText("o");
  expect(late(conversation)).toEqual([1000, 2]);
  for (let count = 0; count < 5100; count++) conversation.sendText(".");
  expect(late(conversation)).toEqual([1000, 5000]);
});

test("accepts the first text of a turn after its end", () => {
  const conversation = FakeConversation.startTurn(gemini);
  conversation.trails = true;
  expect(conversation.answer({ stopReason: "end_turn" })).toMatchObject([
    { kind: "ack" },
    { kind: "begin" },
    { kind: "taken" },
  ]);
  conversation.sendText("Hello");
  expect(conversation.trailOver().at(-1)).toMatchObject({ kind: "finish", outcome: "completed" });
});

test("sends no interrupt after the agent's end and ignores a second end", () => {
  const conversation = startTrail();
  expect(conversation.command({ type: "interrupt" })).toEqual([]);
  expect(conversation.receive({ id: 3, result: { stopReason: "cancelled" } })).toMatchObject([
    { event: { type: "raw" } },
  ]);
  expect(conversation.trailOver().at(-1)).toMatchObject({ kind: "finish", outcome: "completed" });
});

test("ends a trailing turn before anything new begins", () => {
  const asking = startTrail();
  const toolCall = { toolCallId: "t2", kind: "edit", title: "Write" };
  const asked = asking.receive({
    id: 0,
    method: "session/request_permission",
    params: { sessionId: SESSION, toolCall, options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }] },
  });
  const kinds = asked.map(({ kind }) => kind);
  expect(kinds.indexOf("finish")).toBeGreaterThan(-1);
  expect(kinds.indexOf("finish")).toBeLessThan(kinds.indexOf("ask"));

  const prompted = startTrail();
  const prompt = { sessionId: SESSION, prompt: [{ type: "text", text: "again" }] };
  const msg = { jsonrpc: "2.0", id: 9, method: "session/prompt", params: prompt };
  const outputs = prompted.decode({ dir: "in", msg });
  expect(outputs.map(({ kind }) => kind)).toEqual(["event", "finish", "prompted"]);
});

test("begins the next version 2 turn after the trailing one", () => {
  const conversation = new FakeConversation(claudeAgentAcp);
  conversation.answer({ protocolVersion: 2, capabilities: { session: {} } });
  conversation.answer({ sessionId: SESSION, configOptions: [] });
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  conversation.answer({ messageId: "u1" });
  conversation.update({ sessionUpdate: "state_update", state: "running" });
  conversation.trails = true;
  conversation.sendText("hello");
  expect(conversation.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" })).toEqual([]);
  expect(conversation.update({ sessionUpdate: "state_update", state: "running" })).toMatchObject([
    { event: { type: "message.done", data: { text: "hello" } } },
    { kind: "finish", outcome: "completed" },
    { kind: "begin" },
  ]);
});

test("requests usage when the trail time has passed", () => {
  const conversation = FakeConversation.startTurn(kimi);
  conversation.update({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "usage" }] });
  conversation.trails = true;
  conversation.sendText("Hel");
  conversation.answer({ stopReason: "end_turn" });
  conversation.sendText("lo");
  expect(conversation.trailOver()).toMatchObject([{ event: { data: { text: "Hello" } } }, { kind: "send" }]);
  expect(conversation.answer({ stopReason: "end_turn" })).toMatchObject([{ kind: "finish", outcome: "completed" }]);
});

test("ends a turn at once if the agent never trails or another prompt is pending", () => {
  const prompt = defineAgent({ ...anyAgent, channels: [acp({ ...standardDialect, trailMs: 0 })] });
  const conversation = FakeConversation.startTurn(prompt);
  conversation.trails = true;
  conversation.sendText("Hello");
  expect(conversation.answer({ stopReason: "end_turn" }).at(-1)).toMatchObject({ kind: "finish" });

  const two = FakeConversation.startTurn(gemini);
  two.trails = true;
  two.sendText("Hello");
  two.command({ type: "prompt", message: "msg_2", text: "more", attachments: [] });
  expect(two.receive({ id: 3, result: { stopReason: "end_turn" } }).at(-1)).toMatchObject({ kind: "finish" });
});
