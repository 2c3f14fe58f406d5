import { expect, test } from "vitest";
import { kimi } from "../../kimi/descriptor.ts";
import { FakeConversation } from "../testing/conversation.ts";

function startConversation(): FakeConversation {
  const conversation = FakeConversation.startTurn(kimi);
  conversation.update({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "usage" }] });
  conversation.sendText("Hello.");
  return conversation;
}

const total = (input: number, output: number) =>
  `Context: 1557 / 262144 tokens (1%)\nSession total: ${input} input, ${output} output`;

test("ends a turn when the agent has reported its usage", () => {
  const conversation = startConversation();
  expect(conversation.answer({ stopReason: "end_turn" })).toMatchObject([
    { event: { type: "message.done", data: { text: "Hello." } } },
    { kind: "send", frame: { msg: { method: "session/prompt", params: { prompt: [{ text: "/usage" }] } } } },
  ]);
  expect(conversation.sendText(total(1500, 57))).toEqual([]);
  expect(conversation.answer({ stopReason: "end_turn" })).toMatchObject([
    { kind: "finish", outcome: "completed", usage: { input: 1500, output: 57 } },
  ]);

  conversation.command({ type: "prompt", message: "msg_2", text: "again", attachments: [] });
  conversation.sendText("Hello again.");
  conversation.answer({ stopReason: "end_turn" });
  conversation.sendText(total(3100, 117));
  expect(conversation.answer({ stopReason: "end_turn" })).toMatchObject([{ usage: { input: 1600, output: 60 } }]);
});

test("keeps the outcome when the agent refuses to report usage or exits first", () => {
  const refused = startConversation();
  refused.answer({ stopReason: "end_turn" });
  expect(refused.refuse({ code: -32600, message: "busy" })).toEqual([
    { kind: "finish", outcome: "completed", servedModel: undefined },
  ]);
  const gone = startConversation();
  gone.answer({ stopReason: "cancelled" });
  expect(gone.decode({ dir: "end", code: 0, signal: null })).toEqual([{ kind: "finish", outcome: "interrupted" }]);
});

test("does not request usage from an agent without the command", () => {
  const conversation = FakeConversation.startTurn(kimi);
  conversation.sendText("Hello.");
  expect(conversation.answer({ stopReason: "end_turn" }).at(-1)).toMatchObject({
    kind: "finish",
    outcome: "completed",
  });
});
