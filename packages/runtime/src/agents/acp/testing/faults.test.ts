import { describe, expect, test } from "vitest";
import type { Channel, Output } from "../../contract.ts";
import { itemId, MAX_OPEN_CALLS } from "../../contract.ts";
import { gemini } from "../../gemini/descriptor.ts";
import { acp } from "../descriptor.ts";
import type { State } from "../state.ts";
import { FakeConversation, SESSION } from "./conversation.ts";

const rawOnly = [{ kind: "event", event: { type: "raw" } }];
const finishOf = (outputs: Output[]) => outputs.find(({ kind }) => kind === "finish");
const call = (toolCallId: unknown, more: object = {}) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: "ls",
  kind: "execute",
  ...more,
});
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
const permission = (id: unknown, params: object = {}) => ({
  id,
  method: "session/request_permission",
  params: { sessionId: SESSION, toolCall: { toolCallId: "t1" }, options, ...params },
});

describe("answers are matched to requests", () => {
  test("a second answer to a prompt changes nothing, while idle and in the next turn", () => {
    const conversation = FakeConversation.startTurn(gemini);
    conversation.sendText("one");
    const { id } = conversation.last;
    expect(finishOf(conversation.answer({ stopReason: "end_turn" }))).toMatchObject({ outcome: "completed" });
    expect(conversation.receive({ id, result: { stopReason: "end_turn" } })).toMatchObject(rawOnly);
    conversation.command({ type: "prompt", message: "msg_2", text: "two", attachments: [] });
    for (const answer of [{ result: { stopReason: "cancelled" } }, { error: { code: 1, message: "no" } }])
      expect(conversation.receive({ id, ...answer })).toMatchObject(rawOnly);
    conversation.sendText("two");
    expect(finishOf(conversation.answer({ stopReason: "end_turn" }))).toMatchObject({ outcome: "completed" });
  });

  test.each([99, "99", 0, ""])("an answer to the unknown request %j changes nothing", (id) => {
    const conversation = FakeConversation.startTurn(gemini);
    const results = [{ stopReason: "end_turn" }, { sessionId: "other" }, { protocolVersion: 1 }, {}, null, "x", []];
    for (const result of results) expect(conversation.receive({ id, result })).toMatchObject(rawOnly);
    expect(conversation.state.prompts).toHaveLength(1);
  });

  test("a version 1 agent cannot end a turn with a state update", () => {
    const conversation = FakeConversation.startTurn(gemini);
    conversation.sendText("working");
    expect(conversation.update({ sessionUpdate: "state_update", state: "idle" })).toMatchObject(rawOnly);
  });

  test("a turn that was stopped is interrupted, also if the agent answers end_turn after more text", () => {
    const conversation = FakeConversation.startTurn(gemini);
    conversation.sendText("working");
    conversation.command({ type: "interrupt" });
    conversation.sendText(" and done");
    expect(finishOf(conversation.answer({ stopReason: "end_turn" }))).toMatchObject({ outcome: "interrupted" });
  });
});

describe("tool calls", () => {
  test("an id that is used again in the next turn starts another call", () => {
    const conversation = FakeConversation.startTurn(gemini);
    conversation.update(call("t1", { status: "completed" }));
    conversation.answer({ stopReason: "end_turn" });
    conversation.command({ type: "prompt", message: "msg_2", text: "two", attachments: [] });
    const outputs = conversation.update(call("t1"));
    expect(outputs.map((output) => (output.kind === "event" ? output.event.type : output.kind))).toContain(
      "tool.started",
    );
    expect(conversation.update({ ...call("t1", { status: "completed" }) })).toMatchObject([
      { event: { type: "tool.ended" } },
    ]);
  });

  test.each([undefined, null, 7, {}, [], "", " "])("a call with the id %j becomes raw", (id) => {
    const conversation = FakeConversation.startTurn(gemini);
    expect(conversation.update(call(id))).toMatchObject(rawOnly);
    expect(conversation.update({ ...call(id), sessionUpdate: "tool_call_update" })).toMatchObject(rawOnly);
  });

  test.each([undefined, null, 7, "text", [{ type: "text", text: "x" }], { type: "text", text: 1 }, { type: "text" }])(
    "a chunk with the content %j becomes raw",
    (content) => {
      const conversation = FakeConversation.startTurn(gemini);
      expect(conversation.update({ sessionUpdate: "agent_message_chunk", content })).toMatchObject(rawOnly);
    },
  );

  test("different native ids have different item ids", () => {
    const ids = ["a b", "a/b", "a-b", "a_b", "é", "è", "x".repeat(200), `${"x".repeat(200)}y`, "a b.1"];
    expect(new Set(ids.map(itemId)).size).toBe(ids.length);
  });

  test("open calls are bounded, and a call that ends makes room", () => {
    const channel = gemini.channels[0] as unknown as Channel<State>;
    let { state } = FakeConversation.startTurn(gemini);
    const receive = (update: object): Output[] => {
      const msg = { jsonrpc: "2.0", method: "session/update", params: { sessionId: SESSION, update } };
      const [next, outputs] = channel.decode(state, { dir: "out", msg });
      state = next;
      return outputs;
    };
    for (let index = 0; index < MAX_OPEN_CALLS; index++) receive(call(`t${index}`));
    expect(receive(call("more"))).toMatchObject(rawOnly);
    receive({ sessionUpdate: "tool_call_update", toolCallId: "t0", status: "completed" });
    expect(receive(call("more"))).toMatchObject([{ event: { type: "tool.started" } }]);
    expect(Object.keys(state.tools)).toHaveLength(MAX_OPEN_CALLS);
  });
});

describe("requests of the agent", () => {
  test.each([null, {}, [], true])("a request with the id %j is answered with an error", (id) => {
    const conversation = FakeConversation.startTurn(gemini);
    expect(conversation.receive(permission(id))).toMatchObject([
      { kind: "send", frame: { msg: { id, error: { code: -32600 } } } },
      { event: { type: "raw" } },
    ]);
  });

  test.each([undefined, [], {}, [{ name: "Yes" }], [{ optionId: "", kind: "allow_once" }], [null]])(
    "a permission request with the options %j is cancelled at once",
    (given) => {
      const conversation = FakeConversation.startTurn(gemini);
      expect(conversation.receive(permission(5, { options: given }))).toMatchObject([
        { kind: "send", frame: { msg: { id: 5, result: { outcome: { outcome: "cancelled" } } } } },
        { event: { type: "raw" } },
      ]);
    },
  );

  test("the first of two options with the same id counts", () => {
    const conversation = FakeConversation.startTurn(gemini);
    const twice = [...options, { optionId: "yes", name: "No", kind: "reject_once" }];
    const ask = conversation.receive(permission(5, { options: twice })).find(({ kind }) => kind === "ask");
    expect(ask).toMatchObject({ request: { options: [{ id: "yes", label: "Yes", effect: "allow_once" }] } });
  });

  test("the options of a permission request are bounded, and a long list takes no longer than its length", () => {
    const conversation = FakeConversation.startTurn(gemini);
    const many = Array.from({ length: 60_000 }, (_, index) => ({ ...options[0], optionId: `o${index}` }));
    const ask = conversation.receive(permission(5, { options: many })).find(({ kind }) => kind === "ask");
    expect(ask?.kind === "ask" && ask.request.options).toHaveLength(100);
  });

  test("a second request with the id of an open one becomes raw", () => {
    const conversation = FakeConversation.startTurn(gemini);
    conversation.receive(permission(5));
    expect(conversation.receive(permission(5))).toMatchObject(rawOnly);
    expect(conversation.receive(permission("5")).at(-1)).toMatchObject({ kind: "ask" });
  });

  test("a request for another conversation is rejected with a raw event", () => {
    const conversation = FakeConversation.startTurn(gemini);
    expect(conversation.receive(permission(5, { sessionId: "other" }))).toMatchObject([
      { kind: "send", frame: { msg: { error: {} } } },
      { event: { type: "raw" } },
    ]);
  });

  test("open requests are bounded", () => {
    const conversation = FakeConversation.startTurn(gemini);
    for (let id = 0; id < 100; id++) conversation.receive(permission(id));
    expect(conversation.receive(permission(100))).toMatchObject([
      { kind: "send", frame: { msg: { id: 100, error: {} } } },
      { event: { type: "raw" } },
    ]);
  });
});

describe("the opening", () => {
  test.each([undefined, null, "", 7, {}, "x".repeat(100_000)])(
    "the session id %j fails the turn at once",
    (sessionId) => {
      const conversation = new FakeConversation(gemini);
      conversation.answer({ protocolVersion: 1 });
      const finish = finishOf(conversation.answer({ sessionId }));
      expect(finish).toMatchObject({ outcome: "failed", error: { category: "protocol" } });
      expect(JSON.stringify(finish).length).toBeLessThan(2000);
    },
  );

  test.each([99, 0, 2, "1", 1.5, null, {}])("the protocol version %j fails the turn at once", (protocolVersion) => {
    const conversation = new FakeConversation(gemini);
    const error = { category: "protocol", message: expect.stringContaining(JSON.stringify(protocolVersion)) };
    expect(finishOf(conversation.answer({ protocolVersion }))).toMatchObject({ outcome: "failed", error });
  });
});

describe("lines", () => {
  test("a batch is read message by message", () => {
    const conversation = FakeConversation.startTurn(gemini);
    const text = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } };
    const update = { jsonrpc: "2.0", method: "session/update", params: { sessionId: SESSION, update: text } };
    const answer = { jsonrpc: "2.0", id: conversation.last.id, result: { stopReason: "end_turn" } };
    const outputs = conversation.decode({ dir: "out", msg: [update, answer] });
    expect(finishOf(outputs)).toMatchObject({ outcome: "completed" });
    expect(conversation.decode({ dir: "out", msg: [] })).toMatchObject(rawOnly);
  });

  test("an update whose absent id is written as null is read", () => {
    const conversation = FakeConversation.startTurn(gemini);
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } };
    const params = { sessionId: SESSION, update };
    expect(conversation.receive({ id: null, method: "session/update", params }).at(-1)).toMatchObject({ text: "hi" });
  });

  test("a recording of one side that starts after the handshake ends its turns by state updates", () => {
    const channel = acp.channels[0] as unknown as Channel<State>;
    let state = channel.initial({ cwd: "/", mode: "ask", uuid: "u", dir: "/tmp" });
    const updates = [
      { sessionUpdate: "state_update", state: "running" },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } },
      { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
    ];
    const outputs = updates.flatMap((update) => {
      const msg = { jsonrpc: "2.0", method: "session/update", params: { sessionId: SESSION, update } };
      const [next, found] = channel.decode(state, { dir: "out", msg });
      state = next;
      return found;
    });
    expect(finishOf(outputs)).toMatchObject({ outcome: "completed" });
    expect(JSON.stringify(outputs)).not.toContain('"raw"');
  });

  test("an unknown or missing stop reason gets a notice", () => {
    for (const result of [{ stopReason: "tired" }, {}, { stopReason: 7 }]) {
      const conversation = FakeConversation.startTurn(gemini);
      conversation.sendText("text");
      const outputs = conversation.answer(result);
      expect(finishOf(outputs)).toMatchObject({ outcome: "completed" });
      expect(outputs).toContainEqual({
        kind: "event",
        event: expect.objectContaining({ type: "notice", data: expect.objectContaining({ kind: "stop_reason" }) }),
      });
    }
  });
});
