import { expect, test } from "vitest";
import { opencode } from "../../opencode/descriptor.ts";
import { FakeConversation, SESSION } from "../testing/conversation.ts";

function denyCall(message?: string): FakeConversation {
  const conversation = FakeConversation.startTurn(opencode);
  const options = [{ optionId: "reject", name: "Reject", kind: "reject_once" }];
  const toolCall = { toolCallId: "t1", kind: "edit", title: "write" };
  conversation.receive({
    id: 0,
    method: "session/request_permission",
    params: { sessionId: SESSION, options, toolCall },
  });
  const answer = message ? { decision: "deny" as const, message } : { decision: "deny" as const };
  conversation.command({ type: "answer", key: "0", answer, request: {} as never });
  return conversation;
}

const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };

test("sends the denial reason in the same turn and counts its whole usage", () => {
  const conversation = denyCall("Not in this folder, please.");
  expect(conversation.last).toMatchObject({
    id: 0,
    result: { _meta: { "gantry/reason": "Not in this folder, please." } },
  });
  const outputs = conversation.answer({ stopReason: "end_turn", usage });
  expect(outputs).toMatchObject([{ event: { type: "tool.ended", data: { status: "denied" } } }, { kind: "send" }]);
  expect(conversation.last).toMatchObject({
    method: "session/prompt",
    params: { prompt: [{ type: "text", text: "About what I declined: Not in this folder, please." }] },
  });
  conversation.sendText("Somewhere else, then.");
  expect(conversation.answer({ stopReason: "end_turn", usage })).toMatchObject([
    { event: { type: "message.done" } },
    { kind: "finish", outcome: "completed", usage: { input: 200, output: 20 } },
  ]);
});

test("keeps the agent's end of a turn without a denial reason", () => {
  const outputs = denyCall().answer({ stopReason: "end_turn" });
  expect(outputs.at(-1)).toMatchObject({ kind: "finish", outcome: "completed" });
});

test("sends no reason in an interrupted turn", () => {
  const conversation = denyCall("no");
  conversation.command({ type: "interrupt" });
  expect(conversation.answer({ stopReason: "cancelled" }).at(-1)).toMatchObject({
    kind: "finish",
    outcome: "interrupted",
  });
  conversation.command({ type: "prompt", message: "msg_2", text: "continue", attachments: [] });
  conversation.sendText("Yes.");
  expect(conversation.answer({ stopReason: "end_turn" }).at(-1)).toMatchObject({
    kind: "finish",
    outcome: "completed",
  });
});
