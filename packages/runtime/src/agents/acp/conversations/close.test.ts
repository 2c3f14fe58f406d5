import { expect, test } from "vitest";
import { acp } from "../descriptor.ts";
import { FakeConversation, SESSION } from "../testing/conversation.ts";

const closes = { sessionCapabilities: { close: {} } };

test.for([
  ["a result", { result: {} }],
  ["no result to speak of", { result: null }],
  ["a refusal", { error: { code: -32603, message: "Internal error" } }],
] as const)("a conversation is put away, and %s is answer enough", ([, answer]) => {
  const talk = FakeConversation.opened(acp, {}, {}, closes);
  talk.command({ type: "close" });
  expect(talk.last).toMatchObject({ method: "session/close", params: { sessionId: SESSION } });
  expect(talk.hear({ id: talk.last.id, ...answer })).toEqual([{ kind: "ack", key: "session/close" }]);
  expect(talk.state.pending).toEqual({});
});

test("an agent that does not say that it closes conversations is not asked to", () => {
  const talk = FakeConversation.opened(acp);
  talk.command({ type: "close" });
  expect(talk.methods).not.toContain("session/close");
});

test("version 2 asks it of every agent that has sessions", () => {
  const talk = new FakeConversation(acp);
  talk.answer({ protocolVersion: 2, capabilities: { session: {} } });
  talk.answer({ sessionId: SESSION });
  talk.command({ type: "close" });
  expect(talk.last).toMatchObject({ method: "session/close", params: { sessionId: SESSION } });
});
