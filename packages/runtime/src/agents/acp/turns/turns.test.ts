import { describe, expect, test } from "vitest";
import { claudeAgentAcp } from "../../claude-agent-acp/descriptor.ts";
import { copilot } from "../../copilot/descriptor.ts";
import { gemini } from "../../gemini/descriptor.ts";
import { kimi } from "../../kimi/descriptor.ts";
import { omp as ompItself } from "../../omp/descriptor.ts";
import { opencode } from "../../opencode/descriptor.ts";
import { qwen } from "../../qwen/descriptor.ts";
import { acp } from "../descriptor.ts";
import { FakeConversation, SESSION } from "../testing/conversation.ts";

/** ACP is oh-my-pi's second channel. */
const omp = { ...ompItself, channels: ompItself.channels.slice(1) };

const finishOf = (outputs: { kind: string }[]) => outputs.find(({ kind }) => kind === "finish");

test("confirms a prompt on the first output of its turn, not on an update of an earlier one", () => {
  const conversation = FakeConversation.startTurn(gemini);
  expect(conversation.last).toMatchObject({
    method: "session/prompt",
    params: { sessionId: SESSION, prompt: [{ type: "text", text: "hi" }] },
  });
  expect(conversation.update({ sessionUpdate: "usage_update", used: 5, size: 10 })).toMatchObject([
    { event: { type: "context.usage" } },
  ]);
  expect(conversation.sendText("Hel")).toEqual([
    { kind: "ack", key: "msg_1" },
    { kind: "begin", messages: ["msg_1"] },
    { kind: "taken", message: "msg_1", inline: false },
    { kind: "delta", item: "itm_00000000.1", channel: "text", text: "Hel" },
  ]);
  conversation.sendText("lo");
  expect(conversation.answer({ stopReason: "end_turn" })).toMatchObject([
    { event: { type: "message.done", data: { text: "Hello" } } },
    { kind: "finish", outcome: "completed" },
  ]);
});

test.each([
  ["max_tokens", "failed", "context_overflow"],
  ["max_turn_requests", "failed", "cancelled"],
  ["refusal", "failed", "refused"],
  ["cancelled", "interrupted", undefined],
  ["end_turn", "completed", undefined],
])("stop reason %s", (stopReason, outcome, category) => {
  const conversation = FakeConversation.startTurn(gemini);
  conversation.sendText("text");
  const finish = finishOf(conversation.answer({ stopReason }));
  expect(finish).toMatchObject({ outcome, ...(category ? { error: { category } } : {}) });
});

describe("classifies the agents' failure texts", () => {
  test.each([
    [{ code: 401, message: '{"error":{"message":"API key not valid"}}' }, "auth", "API key not valid"],
    [{ code: 429, message: "slow down" }, "rate_limit", "slow down"],
    [{ code: 500, message: "terminated" }, "network", "terminated"],
    [{ code: -32603, message: "Internal error", data: { details: "429 Rate limit" } }, "rate_limit", "429 Rate limit"],
    [{ code: -32603, message: "Internal error: x", data: { errorKind: "rate_limit" } }, "rate_limit", "x"],
    [{ code: -32603, message: "Internal error: no", data: { errorName: "ProviderAuthError" } }, "auth", "no"],
    [
      { code: -32603, message: "Internal error: Agent error", data: "The socket connection was closed" },
      "network",
      "The socket connection was closed",
    ],
    [{ code: -32000, message: "Authentication required: 401" }, "auth", "Authentication required: 401"],
    [
      { code: -32603, message: "Internal error", data: { details: "insufficient_quota" } },
      "quota",
      "insufficient_quota",
    ],
    [
      { code: -32603, message: "Internal error", data: { details: "model gpt-9 does not exist" } },
      "model_unavailable",
      "model gpt-9 does not exist",
    ],
    [
      { code: 429, message: '{"error":{"message":"You exceeded your current quota, check your plan and billing."}}' },
      "quota",
      "You exceeded your current quota, check your plan and billing.",
    ],
    [
      { code: 400, message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)." },
      "context_overflow",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ],
    [{ code: -32603, message: "Internal error", data: {} }, "unknown", "Internal error"],
  ])("%j", (error, category, message) => {
    const finish = finishOf(FakeConversation.startTurn(gemini).refuse(error));
    expect(finish).toMatchObject({ outcome: "failed", error: { category, message } });
  });

  test("fails a turn that ends without output", () => {
    expect(finishOf(FakeConversation.startTurn(kimi).answer({ stopReason: "end_turn" }))).toMatchObject({
      outcome: "failed",
      error: { category: "unknown" },
    });
  });

  test("accepts a slash command without output", () => {
    const conversation = FakeConversation.open(kimi);
    conversation.command({ type: "prompt", message: "msg_1", text: "/compact", attachments: [] });
    expect(finishOf(conversation.answer({ stopReason: "end_turn" }))).toMatchObject({ outcome: "completed" });
  });

  test("detects a failure that is formatted as an answer", () => {
    const first = FakeConversation.startTurn(copilot);
    first.sendText("Error: Authentication failed with provider (HTTP 401).");
    expect(finishOf(first.answer({ stopReason: "end_turn" }))).toMatchObject({ error: { category: "auth" } });
    const second = FakeConversation.startTurn(omp);
    second.sendText("ECONNRESET: The socket was closed");
    expect(finishOf(second.answer({ stopReason: "end_turn" }))).toMatchObject({ error: { category: "network" } });
    const third = FakeConversation.startTurn(omp);
    third.sendText("ECONNRESET is what this error is called.");
    const usage = { inputTokens: 1, outputTokens: 2 };
    expect(finishOf(third.answer({ stopReason: "end_turn", usage }))).toMatchObject({ outcome: "completed" });
  });
});

test("names the login command of a known agent, and describes that of an unknown one", () => {
  const refusal = { code: -32000, message: "Authentication required" };
  const remedies = [gemini, acp].map((agent) => finishOf(FakeConversation.startTurn(agent).refuse(refusal)));
  expect(remedies).toMatchObject([
    { error: { remedy: expect.stringContaining("Log in with `gemini`, or") } },
    { error: { remedy: expect.stringContaining("Log in with the agent's own login command, or") } },
  ]);
});

test.each(["end_turn", "cancelled", "refusal", "max_tokens", "future_reason"])(
  "records an interrupted turn although the agent answers the prompt with %s",
  (stopReason) => {
    for (const agent of [copilot, gemini, kimi, opencode, acp]) {
      const conversation = FakeConversation.startTurn(agent);
      conversation.sendText("Once upon");
      conversation.command({ type: "interrupt" });
      expect(conversation.last).toMatchObject({ method: "session/cancel" });
      conversation.sendText(" a time");
      expect(finishOf(conversation.answer({ stopReason }))).toMatchObject({ outcome: "interrupted" });
    }
  },
);

test("computes a turn's tokens from the process's total", () => {
  const conversation = FakeConversation.startTurn(copilot);
  conversation.sendText("a");
  const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });
  expect(finishOf(conversation.answer({ stopReason: "end_turn", usage: usage(1200, 34) }))).toMatchObject({
    usage: { input: 1200, output: 34 },
  });
  conversation.command({ type: "prompt", message: "msg_2", text: "more", attachments: [] });
  conversation.sendText("b");
  expect(finishOf(conversation.answer({ stopReason: "end_turn", usage: usage(2500, 70) }))).toMatchObject({
    usage: { input: 1300, output: 36 },
  });
});

test("adds up tokens of empty chunks, which do not end a message", () => {
  const conversation = FakeConversation.startTurn(qwen);
  const counted = {
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: "" },
    _meta: { usage: { inputTokens: 10, outputTokens: 1 } },
  };
  conversation.sendText("a");
  expect(conversation.update(counted)).toEqual([]);
  conversation.sendText("b");
  conversation.update(counted);
  expect(conversation.answer({ stopReason: "end_turn" })).toMatchObject([
    { event: { data: { text: "ab" } } },
    { usage: { input: 20, output: 2 } },
  ]);
});

test("cancels the turn and its open questions on an interrupt, and ends open items", () => {
  const conversation = FakeConversation.startTurn(gemini);
  conversation.receive({
    id: 0,
    method: "session/request_permission",
    params: {
      sessionId: SESSION,
      toolCall: { toolCallId: "t1", kind: "edit", title: "Write" },
      options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
    },
  });
  expect(conversation.command({ type: "interrupt" })?.map(({ msg }) => msg)).toEqual([
    { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: SESSION } },
    { jsonrpc: "2.0", id: 0, result: { outcome: { outcome: "cancelled" } } },
  ]);
  const late = conversation.receive({
    id: 1,
    method: "session/request_permission",
    params: { sessionId: SESSION, toolCall: {}, options: [] },
  });
  expect(late).toMatchObject([
    { kind: "send", frame: { msg: { id: 1, result: { outcome: { outcome: "cancelled" } } } } },
  ]);
  expect(conversation.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed" })).toMatchObject([
    { event: { type: "tool.ended", data: { status: "interrupted" } } },
  ]);
  const outputs = conversation.receive({ id: 3, result: { stopReason: "cancelled" } });
  expect(outputs).toEqual([{ kind: "finish", outcome: "interrupted" }]);
  expect(conversation.command({ type: "interrupt" })).toEqual([]);
});

test("does not fail a cancelled prompt that gets an error", () => {
  const conversation = FakeConversation.startTurn(gemini);
  conversation.sendText("so far");
  conversation.command({ type: "interrupt" });
  expect(finishOf(conversation.receive({ id: 3, error: { code: -32603, message: "aborted" } }))).toMatchObject({
    outcome: "interrupted",
  });
});

test("confirms a version 2 prompt on its response and ends the turn on the idle update", () => {
  const conversation = new FakeConversation(claudeAgentAcp);
  conversation.answer({ protocolVersion: 2, capabilities: { session: {} } });
  conversation.answer({ sessionId: SESSION, configOptions: [] });
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  expect(conversation.answer({ messageId: "u1" })).toEqual([
    { kind: "ack", key: "msg_1" },
    { kind: "taken", message: "msg_1", inline: false },
  ]);
  expect(conversation.update({ sessionUpdate: "state_update", state: "running" })).toContainEqual({
    kind: "begin",
    messages: ["msg_1"],
  });
  conversation.sendText("hello");
  const error = { code: -32603, message: "Internal error: overloaded" };
  const failed = conversation.update({ sessionUpdate: "state_update", state: "idle", stopReason: "error", error });
  expect(finishOf(failed)).toMatchObject({ outcome: "failed", error: { category: "overloaded" } });
  expect(conversation.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" })).toEqual([]);
});

test("publishes text outside a turn as a notice", () => {
  const conversation = FakeConversation.open(gemini);
  expect(conversation.sendText("By the way.")).toEqual([]);
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  expect(conversation.sendText("Hello")).toMatchObject([
    { kind: "ack" },
    { kind: "begin" },
    { kind: "taken" },
    { event: { type: "notice", data: { kind: "late_text", text: "By the way." } } },
    { kind: "delta", text: "Hello" },
  ]);
  expect(conversation.state.text?.text).toBe("Hello");
});

test("reports an exit during a turn as a crash, and an exit before opening as an error", () => {
  const conversation = FakeConversation.startTurn(gemini);
  conversation.sendText("so far");
  expect(conversation.decode({ dir: "end", code: 1, signal: null })).toMatchObject([
    { event: { type: "message.done" } },
    { kind: "finish", outcome: "failed", error: { category: "crashed" } },
  ]);
  const fresh = new FakeConversation(gemini);
  fresh.decode({ dir: "err", text: "Error: no such file" });
  expect(fresh.decode({ dir: "end", code: 1, signal: null })).toMatchObject([
    { event: { type: "error", data: { message: expect.stringContaining("no such file") } } },
  ]);
});
