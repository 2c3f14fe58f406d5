import { expect, test } from "vitest";
import { FakeConversation } from "../acp/testing/conversation.ts";
import { copilot } from "./descriptor.ts";

const call = { sessionUpdate: "tool_call", toolCallId: "c1", status: "pending" };
const update = { sessionUpdate: "tool_call_update", toolCallId: "c1" };
const message = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

function startPrompt(): FakeConversation {
  const conversation = FakeConversation.open(copilot);
  conversation.command({ type: "prompt", message: "msg_1", text: "go", attachments: [] });
  return conversation;
}

const event = (type: string, data: object) => ({
  kind: "event",
  event: expect.objectContaining({ type, data: expect.objectContaining(data) }),
});

test("recognises tools by their inputs and removes Copilot's remark from command output", () => {
  const conversation = startPrompt();
  const command = { command: "echo oops; exit 3", description: "Fail" };
  expect(conversation.update({ ...call, title: "Fail", kind: "execute", rawInput: command })).toContainEqual(
    event("tool.started", { name: "bash", kind: "execute", title: "Fail" }),
  );
  const content = [
    { type: "content", content: { type: "text", text: "oops\n<shellId: 3 completed with exit code 3>" } },
  ];
  expect(conversation.update({ ...update, status: "completed", content })).toContainEqual(
    event("tool.ended", { status: "error", output: "oops", exitCode: 3 }),
  );
});

test("reports calls blocked by plan mode as denied", () => {
  const conversation = startPrompt();
  conversation.update({ ...call, title: "Creating /w/a", kind: "edit", rawInput: { path: "/w/a", file_text: "x" } });
  const rawOutput = { message: "`create` was blocked.", code: "denied" };
  expect(conversation.update({ ...update, status: "failed", rawOutput })).toContainEqual(
    event("tool.ended", { status: "denied", output: "`create` was blocked." }),
  );
});

test("publishes a subagent and its messages", () => {
  const conversation = startPrompt();
  const task = { description: "sub work", prompt: "look", agent_type: "explore", name: "looker" };
  expect(conversation.update({ ...call, title: "sub work", kind: "other", rawInput: task })).toContainEqual(
    event("subagent.started", { id: "itm_c1", parent: "itm_c1", type: "explore", title: "sub work" }),
  );
  conversation.update(message("Found it."));
  const ended = conversation.update({ ...update, status: "completed", rawOutput: { content: "Found it." } });
  expect(ended).toContainEqual(event("subagent.ended", { id: "itm_c1", status: "ok", summary: "Found it." }));
  expect(conversation.update(message("Done."))).toContainEqual(
    event("message.done", { text: "Found it.", parent: "itm_c1" }),
  );
});

test("publishes a compaction rather than a message", () => {
  const outputs = startPrompt().update(message("Compacted conversation history and removed 3 messages and 94 tokens."));
  expect(outputs).toContainEqual(event("context.compacted", {}));
  expect(outputs).not.toContainEqual(expect.objectContaining({ kind: "delta" }));
});

test("reports the error of version 1.0.85 for a refused connection as network", () => {
  const conversation = startPrompt();
  const advice = "Check that the service is running and the port is correct.";
  const text = `Error: Could not connect to local model provider at http://127.0.0.1:44275/v1.\n  ${advice}`;
  conversation.update(message(text));
  expect(conversation.answer({ stopReason: "end_turn" })).toContainEqual(
    expect.objectContaining({ outcome: "failed", error: expect.objectContaining({ category: "network" }) }),
  );
});
