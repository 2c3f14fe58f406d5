import fc from "fast-check";
import { expect, test } from "vitest";
import { claudeAgentAcp } from "../../claude-agent-acp/descriptor.ts";
import { codexAcp } from "../../codex-acp/descriptor.ts";
import { gemini } from "../../gemini/descriptor.ts";
import { kimi } from "../../kimi/descriptor.ts";
import { opencode } from "../../opencode/descriptor.ts";
import { qwen } from "../../qwen/descriptor.ts";
import { FakeConversation } from "../testing/conversation.ts";

const text = (value: string) => ({ type: "content", content: { type: "text", text: value } });
const events = (outputs: { kind: string }[]) =>
  outputs.flatMap((output) => ("event" in output ? [(output.event as { type: string }).type] : []));

test("ends a message when a thought, a tool, a plan or another message begins", () => {
  const conversation = FakeConversation.startTurn(gemini);
  conversation.sendText("one");
  expect(events(conversation.sendText("hm", "agent_thought_chunk"))).toEqual(["message.done"]);
  expect(events(conversation.update({ sessionUpdate: "tool_call", toolCallId: "t1", kind: "read" }))).toEqual([
    "reasoning.done",
    "tool.started",
  ]);
  conversation.sendText("two");
  expect(events(conversation.update({ sessionUpdate: "plan", entries: [] }))).toEqual(["message.done", "plan.updated"]);
  const chunk = (messageId: string) => ({
    sessionUpdate: "agent_message_chunk",
    messageId,
    content: { type: "text", text: "x" },
  });
  conversation.update(chunk("a"));
  expect(events(conversation.update(chunk("a")))).toEqual([]);
  expect(events(conversation.update(chunk("b")))).toEqual(["message.done"]);
});

test("does not end a message on an update of an open tool", () => {
  const conversation = FakeConversation.startTurn(gemini);
  conversation.update({ sessionUpdate: "tool_call", toolCallId: "t1", kind: "execute" });
  conversation.sendText("mean");
  expect(events(conversation.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", title: "ls" }))).toEqual([
    "tool.updated",
  ]);
  expect(conversation.sendText("while")).toMatchObject([{ kind: "delta", text: "while" }]);
});

test("starts an unannounced call with its first update, and does not reopen it on a late one", () => {
  const conversation = FakeConversation.startTurn(gemini);
  const update = {
    sessionUpdate: "tool_call_update",
    toolCallId: "write_file__1",
    kind: "edit",
    title: "Writing",
    status: "completed",
  };
  expect(events(conversation.update(update))).toEqual(["tool.started", "tool.ended"]);
  expect(conversation.update(update)).toEqual([]);
});

test("starts and ends each of many open calls once, whatever their ids are", () => {
  const id = fc.oneof(
    fc.string({ minLength: 1 }).filter((value) => value.trim() !== ""),
    fc.constantFrom("__proto__", "constructor", "hasOwnProperty", "1", "01"),
    fc.nat(200).map((n) => `call_${n}`),
  );
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 30 }), fc.boolean(), (ids, reverse) => {
      const conversation = FakeConversation.startTurn(gemini);
      const call = (toolCallId: string, more: object) =>
        events(conversation.update({ toolCallId, kind: "read", ...more }));
      for (const one of ids) expect(call(one, { sessionUpdate: "tool_call" })).toEqual(["tool.started"]);
      const end = { sessionUpdate: "tool_call_update", status: "completed" };
      for (const one of reverse ? ids.toReversed() : ids) expect(call(one, end)).toEqual(["tool.ended"]);
      for (const one of ids) expect(call(one, end)).toEqual([]);
    }),
  );
});

test("publishes only the changed parts of a call", () => {
  const conversation = FakeConversation.startTurn(opencode);
  const call = {
    toolCallId: "t1",
    kind: "edit",
    title: "write",
    locations: [{ path: "/a" }],
    rawInput: { filePath: "/a" },
  };
  conversation.update({ sessionUpdate: "tool_call", ...call, rawInput: {} });
  expect(conversation.update({ sessionUpdate: "tool_call_update", ...call })).toMatchObject([
    { event: { type: "tool.updated", data: { patch: { input: { filePath: "/a" } } } } },
  ]);
  expect(conversation.update({ sessionUpdate: "tool_call_update", ...call })).toEqual([]);
});

test("streams the growth of cumulative output", () => {
  const conversation = FakeConversation.startTurn(opencode);
  conversation.update({
    sessionUpdate: "tool_call",
    toolCallId: "t1",
    kind: "execute",
    title: "bash",
    rawInput: { command: "x" },
  });
  const grown = (value: string) =>
    conversation.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "t1",
      status: "in_progress",
      content: [text(value)],
    });
  expect(grown("a\n")).toEqual([{ kind: "delta", item: "itm_t1", channel: "output", text: "a\n" }]);
  expect(grown("a\nb\n")).toEqual([{ kind: "delta", item: "itm_t1", channel: "output", text: "b\n" }]);
  expect(grown("another\n")).toEqual([]);
  const rawOutput = { output: "a\nb\n", metadata: { exit: 2 } };
  expect(
    conversation.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed", rawOutput }),
  ).toMatchObject([{ event: { type: "tool.ended", data: { status: "error", output: "a\nb\n", exitCode: 2 } } }]);
});

test("reads streamed content as input, with the command before it runs", () => {
  const conversation = FakeConversation.startTurn(kimi);
  conversation.update({
    sessionUpdate: "tool_call",
    toolCallId: "t1",
    kind: "execute",
    title: "Bash",
    content: [text("")],
  });
  const grown = (value: string) =>
    conversation.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "t1",
      status: "in_progress",
      content: [text(value)],
    });
  expect(grown('{"command":"l')).toMatchObject([{ channel: "input", text: '{"command":"l' }]);
  expect(grown('{"command":"ls"}')).toMatchObject([{ channel: "input", text: 's"}' }]);
  expect(conversation.state.tools.t1?.command).toBe("ls");
});

test("reads terminal output whole or in chunks, from call metadata or dedicated updates", () => {
  const first = FakeConversation.startTurn(codexAcp);
  const content = [{ type: "terminal", terminalId: "x" }];
  first.update({ sessionUpdate: "tool_call", toolCallId: "t1", kind: "execute", content });
  const delta = (data: string) => ({ terminal_output_delta: { terminal_id: "x", data } });
  expect(first.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", _meta: delta("a\n") })).toMatchObject([
    { text: "a\n" },
  ]);
  const over = { ...delta("b\n"), terminal_exit: { terminal_id: "x", exit_code: 0 } };
  expect(
    first.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed", _meta: over }),
  ).toMatchObject([
    { channel: "output", text: "b\n" },
    { event: { data: { status: "ok", output: "a\nb\n", exitCode: 0 } } },
  ]);

  const second = FakeConversation.startTurn(claudeAgentAcp);
  second.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", kind: "execute", content });
  const base64 = (value: string) => Buffer.from(value).toString("base64");
  const updateTerminal = (more: object) =>
    second.update({ sessionUpdate: "terminal_update", terminalId: "x", ...more });
  expect(updateTerminal({ output: { data: base64("a\n") } })).toMatchObject([{ text: "a\n" }]);
  expect(updateTerminal({ output: { data: base64("a\nb\n") } })).toMatchObject([{ text: "b\n" }]);
  expect(second.update({ sessionUpdate: "terminal_output_chunk", terminalId: "x", data: base64("c\n") })).toMatchObject(
    [{ text: "c\n" }],
  );
  updateTerminal({ exitStatus: { exitCode: 1 } });
  expect(second.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" })).toMatchObject([
    { event: { data: { status: "error", output: "a\nb\nc\n", exitCode: 1 } } },
  ]);
});

test.each([
  [gemini, "Command moved to background (PID: 13255). Output hidden. Press Ctrl+B to view.", "t1", 13255],
  [qwen, "Background shell bg_4da4f5c2 started (pid 5464).", "bg_4da4f5c2", 5464],
  [
    kimi,
    "task_id: bash-bb48y8uc\npid: 16484\ndescription: Nap\nstatus: running\nnext_step: wait",
    "bash-bb48y8uc",
    16484,
  ],
] as const)("makes a task of a command that an agent leaves running: %#", (agent, output, task, pid) => {
  const conversation = FakeConversation.startTurn(agent);
  const rawInput = { command: "npm run dev", is_background: true };
  conversation.update({
    sessionUpdate: "tool_call",
    toolCallId: "t1",
    kind: "execute",
    title: "npm run dev",
    rawInput,
  });
  const end = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed", content: [text(output)] };
  const outputs = conversation.update(end);
  expect(events(outputs)).toEqual(["task.started", "tool.ended"]);
  expect(outputs[0]).toMatchObject({ event: { data: { task, pid, kind: "command", item: "itm_t1" } } });
  const quoted = FakeConversation.startTurn(agent);
  quoted.update({ sessionUpdate: "tool_call", toolCallId: "t1", kind: "read", title: "notes" });
  expect(events(quoted.update(end))).toEqual(["tool.ended"]);
});

test("publishes earlier changes when the call succeeds", () => {
  const conversation = FakeConversation.startTurn(gemini);
  const content = [{ type: "diff", path: "/a.txt", oldText: "one\ntwo\n", newText: "one\n2\n" }];
  conversation.update({ sessionUpdate: "tool_call", toolCallId: "t1", kind: "edit", content });
  expect(
    conversation.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" }),
  ).toMatchObject([
    {
      event: {
        data: {
          changes: [
            { path: "/a.txt", kind: "update", additions: 1, deletions: 1, diff: "@@ -1,2 +1,2 @@\n one\n-two\n+2\n" },
          ],
        },
      },
    },
  ]);
});

test("publishes plans, modes, models, context and commands when they change", () => {
  const conversation = FakeConversation.startTurn(gemini);
  const entries = [{ content: "first", status: "in_progress", priority: "high" }, { content: "then" }];
  expect(conversation.update({ sessionUpdate: "plan", entries }).at(-1)).toMatchObject({
    event: {
      data: {
        entries: [
          { text: "first", status: "in_progress", priority: "high" },
          { text: "then", status: "pending" },
        ],
      },
    },
  });
  expect(conversation.update({ sessionUpdate: "current_mode_update", currentModeId: "yolo" })).toMatchObject([
    { event: { type: "mode.changed", data: { to: "full-auto", native: "yolo" } } },
  ]);
  expect(conversation.sendText("[MODE_UPDATE] plan")).toMatchObject([
    { event: { type: "mode.changed", data: { from: "full-auto", to: "plan" } } },
  ]);
  expect(conversation.update({ sessionUpdate: "current_mode_update", currentModeId: "odd" })).toMatchObject([
    { event: { type: "notice" } },
  ]);
  const commands = {
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "init", description: "x" }],
  };
  expect(events(conversation.update(commands))).toEqual(["commands.changed"]);
  expect(conversation.update(commands)).toEqual([]);
  expect(conversation.update({ sessionUpdate: "usage_update", used: 0, size: 10 })).toEqual([]);
  expect(events(conversation.update({ sessionUpdate: "usage_update", used: 3, size: 10 }))).toEqual(["context.usage"]);
  expect(conversation.update({ sessionUpdate: "usage_update", used: 3, size: 10 })).toEqual([]);
  const model = (currentValue: string) => ({ id: "model", category: "model", currentValue, options: [] });
  conversation.update({ sessionUpdate: "config_option_update", configOptions: [model("a")] });
  expect(events(conversation.update({ sessionUpdate: "config_option_update", configOptions: [model("b")] }))).toEqual([
    "model.changed",
  ]);
});

test("publishes retries, and the final failure as the reason", () => {
  const conversation = FakeConversation.startTurn(codexAcp);
  const error = { message: "Reconnecting... 2/5", additionalDetails: "429 Too Many Requests", willRetry: true };
  expect(conversation.update({ sessionUpdate: "session_info_update", _meta: { codex: { error } } })).toMatchObject([
    { kind: "retry", attempt: 2, max: 5, failure: { category: "rate_limit" } },
  ]);
  conversation.update({
    sessionUpdate: "session_info_update",
    _meta: { codex: { threadStatus: { type: "systemError" } } },
  });
  conversation.sendText("exceeded retry limit, last status: 429 Too Many Requests");
  conversation.update({
    sessionUpdate: "session_info_update",
    _meta: { codex: { threadStatus: { type: "systemError" } } },
  });
  expect(conversation.answer({ stopReason: "end_turn" }).at(-1)).toMatchObject({
    outcome: "failed",
    error: { category: "rate_limit" },
  });
});

test("mentions another conversation once and stores an unknown update as raw", () => {
  const conversation = FakeConversation.startTurn(gemini);
  const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } };
  expect(conversation.update(chunk, "another")).toMatchObject([{ event: { type: "notice" } }]);
  expect(conversation.update(chunk, "another")).toEqual([]);
  expect(conversation.update({ sessionUpdate: "brand_new" })).toMatchObject([{ event: { type: "raw" } }]);
});
