import { expect, test } from "vitest";
import { acp } from "../descriptor.ts";
import { FakeConversation, SESSION } from "../testing/conversation.ts";

const closes = { sessionCapabilities: { close: {} } };

test.for([
  ["a result", { result: {} }],
  ["no result to speak of", { result: null }],
  ["a refusal", { error: { code: -32603, message: "Internal error" } }],
] as const)("closes the conversation and accepts %s as the acknowledgement", ([, answer]) => {
  const conversation = FakeConversation.open(acp, {}, {}, closes);
  conversation.command({ type: "close" });
  expect(conversation.last).toMatchObject({ method: "session/close", params: { sessionId: SESSION } });
  expect(conversation.receive({ id: conversation.last.id, ...answer })).toEqual([
    { kind: "ack", key: "session/close" },
  ]);
  expect(conversation.state.pending).toEqual({});
});

test("sends no close request to an agent that does not advertise it", () => {
  const conversation = FakeConversation.open(acp);
  conversation.command({ type: "close" });
  expect(conversation.methods).not.toContain("session/close");
});

test("sends it in version 2 to every agent with sessions", () => {
  const conversation = new FakeConversation(acp);
  conversation.answer({ protocolVersion: 2, capabilities: { session: {} } });
  conversation.answer({ sessionId: SESSION });
  conversation.command({ type: "close" });
  expect(conversation.last).toMatchObject({ method: "session/close", params: { sessionId: SESSION } });
});
