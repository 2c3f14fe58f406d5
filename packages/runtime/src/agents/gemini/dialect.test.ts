import type { Mode } from "@gantry/protocol";
import { expect, test } from "vitest";
import { FakeConversation } from "../acp/testing/conversation.ts";
import { gemini } from "./descriptor.ts";

const shell = { toolCallId: "run_shell_command__call_1", kind: "execute", title: "make", locations: [] };

/** The end of a command whose result is this text. */
function endOfCommand(output: string): unknown {
  const conversation = FakeConversation.startTurn(gemini);
  conversation.update({ sessionUpdate: "tool_call", status: "in_progress", content: [], ...shell });
  const content = [{ type: "content", content: { type: "text", text: output } }];
  const outputs = conversation.update({ sessionUpdate: "tool_call_update", status: "completed", content, ...shell });
  return outputs.flatMap((output) => (output.kind === "event" ? [output.event.data] : []));
}

test("separates command output from the agent's remarks", () => {
  expect(endOfCommand("Output: one\nExit Code: is what it prints\nProcess Group PGID: 4711")).toMatchObject([
    { status: "ok", output: "one\nExit Code: is what it prints" },
  ]);
  expect(endOfCommand("Output: oops\nExit Code: 3\nProcess Group PGID: 4711")).toMatchObject([
    { status: "error", output: "oops", exitCode: 3 },
  ]);
  expect(endOfCommand("Output: (empty)\nSignal: 9\nBackground PIDs: 1, 2\nProcess Group PGID: 4711")).toMatchObject([
    { output: "" },
  ]);
  expect(endOfCommand("Command was cancelled by user before it could complete.")).toMatchObject([
    { output: "Command was cancelled by user before it could complete." },
  ]);
});

test("separates thoughts and omits an empty heading", () => {
  const conversation = FakeConversation.startTurn(gemini);
  conversation.sendText("****\nFirst A.", "agent_thought_chunk");
  conversation.sendText("**Then**\nB.", "agent_thought_chunk");
  expect(conversation.sendText("Done.")).toContainEqual(
    expect.objectContaining({
      event: expect.objectContaining({ data: expect.objectContaining({ text: "First A.\n\n**Then**\nB." }) }),
    }),
  );
});

test.each(["invoke_agent__call_1", "call_1"])(
  "recognises a subagent by the call's title, also with ids of older versions: %s",
  (toolCallId) => {
    const conversation = FakeConversation.startTurn(gemini);
    const call = { toolCallId, kind: "think", title: "Delegating to agent 'generalist'" };
    expect(
      conversation.update({ sessionUpdate: "tool_call", status: "in_progress", content: [], ...call }),
    ).toContainEqual(
      expect.objectContaining({
        event: expect.objectContaining({
          type: "subagent.started",
          data: expect.objectContaining({ type: "generalist", parent: `itm_${toolCallId}` }),
        }),
      }),
    );
  },
);

test.each([
  { toolCallId: "exit_plan_mode__call_1", title: "Requesting plan approval" },
  { toolCallId: "call_1", title: "Requesting plan approval for: /home/user/.gemini/tmp/project/plans/plan.md" },
])("asks for approval of a finished plan, also with ids of older versions: $toolCallId", (call) => {
  const conversation = FakeConversation.startTurn(gemini);
  const options = [
    { optionId: "proceed_once", name: "Allow", kind: "allow_once" },
    { optionId: "cancel", name: "Reject", kind: "reject_once" },
  ];
  const toolCall = { status: "pending", ...call };
  const asked = conversation.receive({ id: 0, method: "session/request_permission", params: { options, toolCall } });
  expect(asked).toContainEqual(expect.objectContaining({ request: expect.objectContaining({ kind: "plan" }) }));
});

test("leaves plan mode with an approved plan of a version that does not report its mode", () => {
  const changesAfter = (toolCallId: string) => {
    const conversation = FakeConversation.startTurn(gemini, { mode: "plan" });
    const options = [{ optionId: "proceed_once", name: "Allow", kind: "allow_once" }];
    const call = { toolCallId, title: "Requesting plan approval for: /plans/plan.md", kind: "other" };
    conversation.receive({ id: 0, method: "session/request_permission", params: { options, toolCall: call } });
    conversation.command({ type: "answer", key: "0", answer: { decision: "allow" }, request: {} as never });
    const ended = conversation.update({ sessionUpdate: "tool_call_update", status: "completed", ...call });
    return ended.flatMap((output) => (output.kind === "event" ? [output.event.type] : []));
  };
  expect(changesAfter("call_1")).toEqual(["tool.ended", "mode.changed"]);
  expect(changesAfter("exit_plan_mode__call_1")).toEqual(["tool.ended"]);
});

const [channel] = gemini.channels;

test("starts older versions in plan mode, so that the model is offered the tool that submits a plan", () => {
  const place = { cwd: "/w", dir: "/given", uuid: "u" };
  const argumentsOf = (mode: Mode, version: string) => channel?.launch({ ...place, mode, version }).args ?? [];
  expect(argumentsOf("plan", "0.41.0").join(" ")).toContain("--approval-mode plan");
  expect(argumentsOf("plan", "0.61.0")).not.toContain("--approval-mode");
  expect(argumentsOf("ask", "0.41.0")).not.toContain("--approval-mode");
});
