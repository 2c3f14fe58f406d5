import fc from "fast-check";
import { expect, test } from "vitest";
import { ofKind } from "../replay.ts";
import { FakeAppServer, THREAD } from "./conversation.ts";

const tokens = (input: number, last: number) => ({
  tokenUsage: {
    total: { inputTokens: input, outputTokens: 1 },
    last: { inputTokens: last, totalTokens: last },
    modelContextWindow: 1000,
  },
});
const completedTurn = (id: string, more = {}) => ({ turn: { id, status: "completed", ...more } });

test("begins a turn once, whichever frame reports it first", () => {
  const conversation = FakeAppServer.open();
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  expect(conversation.notify("turn/started", { turn: { id: "turn-1" } })).toEqual([
    { kind: "begin", messages: ["msg_1"] },
    { kind: "taken", message: "msg_1", inline: false },
  ]);
  expect(conversation.receive({ id: conversation.lastSent.id, result: { turn: { id: "turn-1" } } })).toEqual([
    { kind: "ack", key: "msg_1" },
  ]);
  const other = FakeAppServer.startTurn("turn-1");
  expect(other.notify("turn/started", { turn: { id: "turn-1" } })).toEqual([]);
});

test("assigns a prompt during a turn to that turn", () => {
  const conversation = FakeAppServer.startTurn("turn-1");
  conversation.command({ type: "prompt", message: "msg_2", text: "more", attachments: [] });
  expect(conversation.receive({ id: conversation.lastSent.id, result: { turn: { id: "turn-1" } } })).toEqual([
    { kind: "ack", key: "msg_2" },
    { kind: "taken", message: "msg_2", inline: true },
  ]);
});

test("confirms a steered message once, by the response or by its item", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.command({ type: "steer", message: "msg_2", text: "left", attachments: [] });
  const item = { item: { type: "userMessage", id: "u", clientId: "msg_2", content: [] } };
  const taken = [
    { kind: "ack", key: "msg_2" },
    { kind: "taken", message: "msg_2", inline: true },
  ];
  expect(conversation.notify("item/started", item)).toEqual(taken);
  expect(conversation.receive({ id: conversation.lastSent.id, result: { turnId: "turn-1" } })).toEqual([]);
  expect(conversation.notify("item/started", item)).toEqual([]);
});

test("returns a refused steer to the queue", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.command({ type: "steer", message: "msg_2", text: "left", attachments: [] });
  expect(
    conversation.receive({ id: conversation.lastSent.id, error: { code: -32600, message: "no active turn to steer" } }),
  ).toContainEqual({
    kind: "dropped",
    message: "msg_2",
    reason: "no active turn to steer",
  });
});

test("begins and fails a turn that the agent refuses", () => {
  const conversation = FakeAppServer.open();
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  const outputs = conversation.receive({
    id: conversation.lastSent.id,
    error: { code: -32600, message: "thread is broken" },
  });
  expect(outputs).toMatchObject([
    { kind: "ack" },
    { kind: "begin", messages: ["msg_1"] },
    { kind: "finish", outcome: "failed", error: { category: "protocol", message: "thread is broken" } },
  ]);
});

test("computes a turn's usage from the thread's total", () => {
  const conversation = FakeAppServer.startTurn("turn-1", { resume: "old" });
  conversation.notify("thread/tokenUsage/updated", tokens(5100, 100));
  conversation.notify("thread/tokenUsage/updated", tokens(5300, 200));
  const [first] = ofKind(conversation.notify("turn/completed", completedTurn("turn-1")), "finish");
  expect(first?.usage?.input).toBe(300);
  conversation.notify("turn/started", { turn: { id: "turn-2" } });
  expect(conversation.notify("thread/tokenUsage/updated", tokens(5350, 200))).toEqual([]);
  const [second] = ofKind(conversation.notify("turn/completed", completedTurn("turn-2")), "finish");
  expect(second?.usage?.input).toBe(50);
});

test("reports an exit during a turn as a crash, with the last error line", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.decode({ dir: "err", text: "thread 'main' panicked at src/main.rs" });
  expect(conversation.decode({ dir: "end", code: 101, signal: null })).toMatchObject([
    { kind: "finish", outcome: "failed", error: { category: "crashed", message: expect.stringContaining("panicked") } },
  ]);
  expect(FakeAppServer.open().decode({ dir: "end", code: 0, signal: null })).toEqual([]);
  expect(new FakeAppServer().decode({ dir: "end", code: 1, signal: null })).toMatchObject([
    { event: { type: "error" } },
  ]);
});

test("ignores frames of another thread", () => {
  const conversation = FakeAppServer.startTurn();
  const outputs = conversation.notify("item/agentMessage/delta", { threadId: "stranger", itemId: "x", delta: "no" });
  expect(outputs).toMatchObject([
    { event: { type: "raw", data: { channel: "app-server", reason: "foreign thread" } } },
  ]);
  expect(conversation.notify("turn/completed", { threadId: "stranger", ...completedTurn("t") })).toMatchObject([
    { event: { type: "raw" } },
  ]);
  expect(conversation.state.turn).toBe("turn-1");
});

test("stores an item of an ended turn as raw and drops its deltas", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.notify("turn/completed", completedTurn("turn-1"));
  const late = { turnId: "turn-1", item: { type: "commandExecution", id: "c", command: "make", status: "completed" } };
  expect(conversation.notify("item/completed", late)).toMatchObject([{ event: { type: "raw" } }]);
  expect(
    conversation.notify("item/commandExecution/outputDelta", { turnId: "turn-1", itemId: "c", delta: "x" }),
  ).toEqual([]);
});

test("retracts streamed text when the agent retries", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.notify("item/agentMessage/delta", { itemId: "a", delta: "Hel" });
  const error = {
    message: "Reconnecting... 2/5",
    codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: null } },
    additionalDetails: "rate limit exceeded. Please try again in 1.5s.",
  };
  expect(conversation.notify("error", { error, willRetry: true })).toMatchObject([
    { event: { type: "message.retracted", data: { items: ["itm_a"] } } },
    { kind: "retry", attempt: 2, max: 5, delayMs: 1500, failure: { category: "rate_limit" } },
  ]);
});

test("publishes settings changed by the agent", () => {
  const conversation = FakeAppServer.open({ mode: "inherit" });
  const settings = (model: string, approvalPolicy: string) => ({
    threadSettings: {
      model,
      approvalPolicy,
      sandboxPolicy: { type: "workspaceWrite" },
      collaborationMode: { mode: "default" },
    },
  });
  expect(conversation.notify("thread/settings/updated", settings("m-1", "untrusted"))).toEqual([
    { kind: "controls", values: { approval: "untrusted", sandbox: "workspace-write" } },
  ]);
  expect(conversation.notify("thread/settings/updated", settings("m-2", "on-request"))).toMatchObject([
    { event: { type: "model.changed", data: { from: "m-1", to: "m-2" } } },
    { event: { type: "mode.changed", data: { from: "ask", to: "auto-edit", native: "on-request + workspace-write" } } },
    { kind: "controls", values: { approval: "on-request", sandbox: "workspace-write" } },
  ]);
  expect(conversation.notify("model/rerouted", { fromModel: "m-2", toModel: "m-3", reason: "busy" })).toMatchObject([
    { event: { type: "model.changed", data: { from: "m-2", to: "m-3", reason: "busy" } } },
  ]);
});

test("publishes a limit once when reached and when cleared", () => {
  const conversation = FakeAppServer.startTurn();
  const limits = (usedPercent: number) => ({
    rateLimits: { primary: { usedPercent, windowDurationMins: 300, resetsAt: 1_794_765_565 }, secondary: null },
  });
  expect(conversation.notify("account/rateLimits/updated", limits(99))).toEqual([]);
  expect(conversation.notify("account/rateLimits/updated", limits(100))).toMatchObject([
    {
      event: {
        type: "limit.reached",
        data: { provider: "openai", window: "5h", resetsAt: "2026-11-15T17:59:25.000Z" },
      },
    },
  ]);
  expect(conversation.notify("account/rateLimits/updated", limits(100))).toEqual([]);
  expect(conversation.notify("account/rateLimits/updated", { rateLimits: { primary: null } })).toEqual([]);
  expect(conversation.notify("account/rateLimits/updated", limits(3))).toMatchObject([
    { event: { type: "limit.cleared" } },
  ]);
});

test("stores unknown messages as raw", () => {
  const conversation = FakeAppServer.open();
  for (const frame of [{ method: "thread/brandNew", params: { threadId: THREAD } }, { hello: 1 }, "text", null]) {
    expect(conversation.receive(frame)).toMatchObject([{ event: { type: "raw", data: { channel: "app-server" } } }]);
  }
  expect(conversation.decode({ dir: "out", text: "panic!" })).toMatchObject([{ event: { type: "raw" } }]);
  expect(conversation.decode({ dir: "out", oversize: 9e6, head: "{" })).toMatchObject([{ event: { type: "raw" } }]);
  expect(conversation.receive({ method: "thread/readState/changed", params: {} })).toEqual([]);
});

/** Answers that would have an effect if they were ours. */
const answers = fc.constantFrom<object>(
  { result: { userAgent: "x", codexHome: "/home/dev/.codex" } },
  { result: { turn: { id: "turn-9" } } },
  { result: {} },
  { error: { code: -32600, message: "no such turn" } },
);

test("stores an answer to an unknown request as raw and changes nothing", () => {
  const ids = fc.oneof(fc.integer({ min: 4 }), fc.string(), fc.constantFrom("__proto__", "constructor", "2", 2.5, -1));
  fc.assert(
    fc.property(ids, answers, fc.boolean(), (id, answer, isRunning) => {
      const conversation = isRunning ? FakeAppServer.startTurn() : FakeAppServer.open();
      const before = conversation.state;
      const outputs = conversation.receive({ id, ...answer });
      expect(outputs).toMatchObject([{ kind: "event", event: { type: "raw" } }]);
      expect(conversation.state).toEqual(before);
    }),
  );
});

test("stores a second answer to a request as raw and changes nothing", () => {
  fc.assert(
    fc.property(fc.constantFrom(1, 2, 3), answers, fc.boolean(), (id, answer, isOver) => {
      const conversation = FakeAppServer.startTurn("turn-1");
      if (isOver) conversation.notify("turn/completed", completedTurn("turn-1"));
      const before = conversation.state;
      const outputs = conversation.receive({ id, ...answer });
      expect(outputs).toMatchObject([{ kind: "event", event: { type: "raw" } }]);
      expect(conversation.state).toEqual(before);
    }),
  );
});

test("opens no thread because of an answer to another request", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2 }), (id) => {
      const conversation = new FakeAppServer();
      const outputs = conversation.receive({ id, result: { thread: { id: "thread-9" }, model: "m-9" } });
      expect(outputs).toMatchObject([{ kind: "event", event: { type: "raw" } }]);
      expect(conversation.state).toMatchObject({ phase: "greeting", pending: { 1: { method: "initialize" } } });
    }),
  );
});
