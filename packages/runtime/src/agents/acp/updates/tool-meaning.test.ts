import { expect, test } from "vitest";
import type { Output } from "../../contract.ts";
import { kimi } from "../../kimi/descriptor.ts";
import { opencode } from "../../opencode/descriptor.ts";
import { FakeConversation } from "../testing/conversation.ts";

const events = (outputs: Output[]) => outputs.flatMap((output) => (output.kind === "event" ? [output.event] : []));
const content = (text: string) => [{ type: "content", content: { type: "text", text } }];

function callTool(title: string, rawInput: object): { conversation: FakeConversation; outputs: Output[] } {
  const conversation = FakeConversation.startTurn(opencode);
  conversation.update({
    sessionUpdate: "tool_call",
    toolCallId: "t1",
    title,
    kind: "other",
    status: "pending",
    rawInput: {},
  });
  const update = { sessionUpdate: "tool_call_update", toolCallId: "t1", title, kind: "other", status: "in_progress" };
  const outputs = conversation.update({ ...update, rawInput });
  expect(conversation.update({ ...update, rawInput })).toEqual([]);
  return { conversation, outputs };
}

test("publishes the list of the plan tool as the plan", () => {
  const todos = [
    { content: "step A", status: "in_progress", priority: "high" },
    { content: "step B", status: "pending" },
  ];
  expect(events(callTool("todowrite", { todos }).outputs).at(-1)).toEqual({
    type: "plan.updated",
    data: {
      entries: [
        { text: "step A", status: "in_progress", priority: "high" },
        { text: "step B", status: "pending" },
      ],
    },
  });
});

test("starts and ends a subagent with its tool call", () => {
  const input = { description: "sub work", prompt: "go", subagent_type: "general" };
  const { conversation, outputs } = callTool("task", input);
  expect(events(outputs).at(-1)).toEqual({
    type: "subagent.started",
    data: { id: "itm_t1", parent: "itm_t1", type: "general", title: "sub work" },
  });
  const output = '<task id="x" state="completed">\n<task_result>\nAll done.\n</task_result>\n</task>';
  const end = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed", rawOutput: { output } };
  expect(events(conversation.update(end)).map(({ type, data }) => [type, data])).toMatchObject([
    ["tool.ended", { status: "ok" }],
    ["subagent.ended", { id: "itm_t1", status: "ok", summary: "All done." }],
  ]);
});

test("reads the change of a call from its input if there is no diff", () => {
  const conversation = FakeConversation.startTurn(kimi);
  const update = { toolCallId: "t1", kind: "edit", title: "Write" };
  conversation.update({ sessionUpdate: "tool_call", ...update, status: "pending", content: content("") });
  const input = '{"path":"/p/hello.txt","content":"hello\\nworld\\n"}';
  conversation.update({ sessionUpdate: "tool_call_update", ...update, status: "in_progress", content: content(input) });
  const end = {
    sessionUpdate: "tool_call_update",
    toolCallId: "t1",
    status: "completed",
    content: content("Wrote it"),
  };
  expect(events(conversation.update(end))).toMatchObject([
    { type: "tool.ended", data: { changes: [{ path: "/p/hello.txt", kind: "update", additions: 2 }] } },
  ]);
});

test("publishes a compaction once with its figures, whether reported before or after its turn", () => {
  const conversation = FakeConversation.startTurn(kimi);
  conversation.sendText("Compacting conversation context…");
  const report = "Compaction completed.\n- Messages compacted: 3\n- Tokens before: 21,172\n- Tokens after: 979";
  expect(events(conversation.sendText(report))).toMatchObject([
    { type: "context.compacted", data: { before: 21_172, after: 979 } },
  ]);
  conversation.sendText("Done.");
  expect(events(conversation.answer({ stopReason: "end_turn" })).map(({ type }) => type)).toEqual(["message.done"]);
  expect(events(conversation.sendText(report))).toMatchObject([{ type: "context.compacted" }]);
});

test("extends a compaction turn until the compaction ends", () => {
  const conversation = FakeConversation.open(kimi);
  conversation.command({ type: "prompt", message: "msg_1", text: "/compact", attachments: [] });
  conversation.sendText("Context compaction started.");
  expect(events(conversation.answer({ stopReason: "end_turn" })).map(({ type }) => type)).toEqual(["message.done"]);
  const outputs = conversation.sendText(
    "Compaction completed.\n- Messages compacted: 3\n- Tokens before: 9\n- Tokens after: 5",
  );
  expect(outputs).toMatchObject([{ event: { type: "context.compacted" } }, { kind: "finish", outcome: "completed" }]);
});

test("lists an unlisted compaction command and reports the compaction at the end of its turn", () => {
  const conversation = FakeConversation.open(opencode);
  const listed = conversation.update({
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "init" }],
  });
  expect(events(listed)).toMatchObject([{ data: { list: [{ name: "init" }, { name: "compact" }] } }]);
  conversation.command({ type: "prompt", message: "msg_1", text: "/compact", attachments: [] });
  expect(events(conversation.answer({ stopReason: "end_turn" }))).toMatchObject([
    { type: "context.compacted", data: { trigger: "manual" } },
  ]);
});

test("lists the compaction command of OpenCode 1.3, which lists it itself, once", () => {
  const availableCommands = [{ name: "init" }, { name: "compact", description: "compact the session" }];
  const listed = FakeConversation.open(opencode).update({
    ...{ sessionUpdate: "available_commands_update", availableCommands },
  });
  expect(events(listed)).toMatchObject([{ data: { list: availableCommands } }]);
});
