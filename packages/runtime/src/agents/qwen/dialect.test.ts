import { expect, test } from "vitest";
import { FakeConversation } from "../acp/testing/conversation.ts";
import { qwen } from "./descriptor.ts";

test.each([
  ["scripted-model(openai)", "scripted-model"],
  ["$runtime|openai|qwen3-coder(openai)", "qwen3-coder"],
  ["plain", "plain"],
])("maps the model %s to %s", (native, name) => {
  const conversation = new FakeConversation(qwen);
  conversation.answer({ protocolVersion: 1, agentCapabilities: {} });
  const models = { currentModelId: native, availableModels: [{ modelId: native, name }] };
  expect(conversation.answer({ sessionId: "session-1", models })).toContainEqual(
    expect.objectContaining({ kind: "ready", model: name, models: [expect.objectContaining({ id: name, name })] }),
  );
});

test("publishes a file's content although its raw output is empty", () => {
  const conversation = FakeConversation.startTurn(qwen);
  const content = [{ type: "content", content: { type: "text", text: "multi\n" } }];
  const call = { toolCallId: "call_1", kind: "read", title: "ReadFile", _meta: { toolName: "read_file" } };
  conversation.update({ sessionUpdate: "tool_call", status: "pending", content: [], ...call });
  const outputs = conversation.update({
    sessionUpdate: "tool_call_update",
    status: "completed",
    content,
    rawOutput: "",
    ...call,
  });
  expect(outputs).toMatchObject([{ event: { type: "tool.ended", data: { status: "ok", output: "multi\n" } } }]);
});

test("publishes the location of truncated output", () => {
  const conversation = FakeConversation.startTurn(qwen);
  const call = { toolCallId: "call_1", kind: "execute", title: "Shell", _meta: { toolName: "run_shell_command" } };
  conversation.update({ sessionUpdate: "tool_call", status: "pending", content: [], ...call });
  const rawOutput = { type: "shell_result", output: "x", exitCode: 0, truncated: true, outputFiles: ["/tmp/all"] };
  const outputs = conversation.update({ sessionUpdate: "tool_call_update", status: "completed", rawOutput, ...call });
  expect(outputs).toMatchObject([{ event: { data: { exitCode: 0, structured: { outputFiles: ["/tmp/all"] } } } }]);
});

test("publishes a subagent's messages inside its call", () => {
  const conversation = FakeConversation.startTurn(qwen);
  const call = { toolCallId: "call_1", kind: "other", title: "Agent: sub work", _meta: { toolName: "agent" } };
  const rawInput = { description: "sub work", prompt: "do it", subagent_type: "general-purpose" };
  const begun = conversation.update({
    sessionUpdate: "tool_call",
    status: "in_progress",
    content: [],
    rawInput,
    ...call,
  });
  expect(begun).toContainEqual({
    kind: "event",
    event: expect.objectContaining({
      type: "subagent.started",
      data: expect.objectContaining({ id: "itm_call_1", type: "general-purpose", title: "sub work" }),
    }),
  });
  const _meta = { parentToolCallId: "call_1", subagentType: "general-purpose" };
  conversation.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "done" }, _meta });
  conversation.update({
    sessionUpdate: "tool_call_update",
    status: "completed",
    rawOutput: { result: "done" },
    ...call,
  });
  expect(conversation.sendText("All done.")).toMatchObject([
    { event: { type: "message.done", data: { text: "done", parent: "itm_call_1" } } },
    { kind: "delta", text: "All done." },
  ]);
});

test("asks for approval of a finished plan, and plain approval returns to the ask mode", () => {
  const conversation = FakeConversation.startTurn(qwen);
  const options = [
    { optionId: "restore_previous", name: "Yes, restore previous mode (auto)", kind: "allow_once" },
    { optionId: "proceed_always", name: "Yes, and auto-accept edits", kind: "allow_always" },
    { optionId: "proceed_once", name: "Yes, and manually approve edits", kind: "allow_once" },
    { optionId: "cancel", name: "No, keep planning (esc)", kind: "reject_once" },
  ];
  const toolCall = { toolCallId: "call_1", status: "pending", title: "Plan:", kind: "switch_mode" };
  const asked = conversation.receive({ id: 0, method: "session/request_permission", params: { options, toolCall } });
  const ask = asked.find((output) => output.kind === "ask");
  expect(ask?.request).toMatchObject({ kind: "plan", options: options.map(({ optionId }) => ({ id: optionId })) });
  conversation.command({
    type: "answer",
    key: ask?.key ?? "",
    answer: { decision: "allow" },
    request: ask?.request as never,
  });
  expect(conversation.last).toMatchObject({
    id: 0,
    result: { outcome: { outcome: "selected", optionId: "proceed_once" } },
  });
  conversation.update({ sessionUpdate: "current_mode_update", currentModeId: "plan" });
  expect(conversation.update({ sessionUpdate: "current_mode_update", currentModeId: "default" })).toMatchObject([
    { event: { type: "mode.changed", data: { from: "plan", to: "ask" } } },
  ]);
});

test("publishes a model change once", () => {
  const conversation = FakeConversation.startTurn(qwen);
  const method = "qwen/notify/session/model-update";
  const notification = { method, params: { v: 1, sessionId: "session-1", currentModelId: "scripted-other(openai)" } };
  expect(conversation.receive(notification)).toMatchObject([
    { event: { type: "model.changed", data: { to: "scripted-other" } } },
  ]);
  expect(conversation.receive(notification)).toEqual([]);
});

test("publishes a call's input when permission is requested", () => {
  const conversation = FakeConversation.startTurn(qwen);
  const call = { toolCallId: "call_1", status: "pending", kind: "edit", content: [], locations: [] };
  conversation.update({ sessionUpdate: "tool_call", title: "WriteFile", rawInput: {}, ...call });
  const rawInput = { file_path: "/a.txt", content: "a" };
  const toolCall = { ...call, title: "Writing to a.txt", rawInput, locations: [{ path: "/a.txt" }] };
  const asked = conversation.receive({
    id: 0,
    method: "session/request_permission",
    params: { options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }], toolCall },
  });
  expect(asked[0]).toMatchObject({
    event: {
      type: "tool.updated",
      data: {
        item: "itm_call_1",
        patch: { title: "Writing to a.txt", input: rawInput, locations: [{ path: "/a.txt" }] },
      },
    },
  });
});

test.each([
  "Context compressed (1500 -> ~1057).",
  "IMPORTANT: This conversation approached the input token limit for scripted-model. A compressed context will be " +
    "sent for future messages (compressed from: 1500 to ~1057 tokens).",
])("%s", (reply) => {
  const conversation = FakeConversation.startTurn(qwen);
  expect(conversation.sendText("Compressing context...")).toContainEqual(
    expect.objectContaining({ state: "compacting" }),
  );
  expect(conversation.sendText(reply)).toMatchObject([
    { event: { type: "context.compacted", data: { before: 1500, after: 1057 } } },
  ]);
});

test("publishes nothing when the agent confirms the requested mode", () => {
  const conversation = new FakeConversation(qwen, { mode: "ask" });
  conversation.answer({ protocolVersion: 1, agentCapabilities: {} });
  const modes = { currentModeId: "auto", availableModes: [{ id: "auto" }, { id: "default" }, { id: "yolo" }] };
  conversation.answer({ sessionId: "session-1", modes });
  const method = "qwen/notify/session/mode-update";
  expect(conversation.receive({ method, params: { v: 1, sessionId: "session-1", currentModeId: "default" } })).toEqual(
    [],
  );
  conversation.answer({});
  expect(
    conversation.receive({ method, params: { v: 1, sessionId: "session-1", currentModeId: "yolo" } }),
  ).toMatchObject([{ event: { type: "mode.changed", data: { from: "ask", to: "full-auto" } } }]);
});

test("reads the exit code of a command from its text, as older versions report it", () => {
  const endWith = (text: string) => {
    const conversation = FakeConversation.startTurn(qwen);
    const call = { toolCallId: "call_1", kind: "execute", title: "Shell" };
    conversation.update({ sessionUpdate: "tool_call", status: "pending", content: [], ...call });
    const content = [{ type: "content", content: { type: "text", text } }];
    return conversation.update({
      ...{ sessionUpdate: "tool_call_update", status: "completed", content, rawOutput: "oops", ...call },
    });
  };
  const remarks = "Directory: (root)\nOutput: oops\nError: (none)\nExit Code: 3\nSignal: 0\nProcess Group PGID: 4711";
  expect(endWith(`Command: false\n${remarks}`)).toMatchObject([
    { event: { type: "tool.ended", data: { status: "error", output: "oops", exitCode: 3 } } },
  ]);
  expect(endWith(`${remarks}\nand this is the output of a command`)).toMatchObject([
    { event: { type: "tool.ended", data: { status: "ok", output: "oops" } } },
  ]);
});

test("recognises a question of an older version, which does not mark it", () => {
  const conversation = FakeConversation.startTurn(qwen);
  const questions = [{ question: "Which colour?", header: "Colour", options: [{ label: "Red" }], multiSelect: false }];
  const toolCall = { toolCallId: "call_1", kind: "think", title: "Ask user 1 question", rawInput: { questions } };
  const options = [{ optionId: "proceed_once", name: "Submit", kind: "allow_once" }];
  const asked = conversation.receive({ id: 0, method: "session/request_permission", params: { options, toolCall } });
  const request = { kind: "question", questions: [{ text: "Which colour?", options: [{ label: "Red" }] }] };
  expect(asked.find((output) => output.kind === "ask")).toMatchObject({ request });
});
