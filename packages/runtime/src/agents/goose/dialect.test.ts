import { expect, test } from "vitest";
import { FakeConversation, SESSION } from "../acp/testing/conversation.ts";
import type { Output } from "../contract.ts";
import { goose } from "./descriptor.ts";

const events = (outputs: Output[]) => outputs.flatMap((output) => (output.kind === "event" ? [output.event] : []));
const call = (toolName: string, rawInput: object) => ({
  sessionUpdate: "tool_call",
  toolCallId: "r1",
  title: `developer: ${toolName}`,
  status: "pending",
  rawInput,
  _meta: { goose: { toolCall: { toolName: `developer__${toolName}`, extensionName: "developer" } } },
});

test("assigns kinds to built-in tools, which Goose does not report", () => {
  const startTool = (name: string, input: object) =>
    events(FakeConversation.startTurn(goose).update(call(name, input)))[0]?.data;
  expect(startTool("shell", { command: "ls" })).toMatchObject({ name: "shell", kind: "execute" });
  expect(startTool("edit", { path: "/a", before: "x", after: "y" })).toMatchObject({ name: "edit", kind: "edit" });
  expect(startTool("screen_capture", {})).toMatchObject({ name: "developer__screen_capture", kind: "other" });
});

test("shows the change of a write in the permission request and at its end", () => {
  const conversation = FakeConversation.startTurn(goose);
  const rawInput = { path: "/p/a.txt", content: "x\n" };
  conversation.update(call("write", rawInput));
  const options = [{ optionId: "allow_once", name: "allow_once", kind: "allow_once" }];
  const toolCall = { toolCallId: "r1", title: "write", kind: "other", status: "pending", rawInput };
  const params = { sessionId: SESSION, toolCall, options };
  expect(conversation.receive({ id: 0, method: "session/request_permission", params }).at(-1)).toMatchObject({
    request: { tool: { name: "write", kind: "edit" }, diff: [{ path: "/p/a.txt", kind: "add" }] },
  });
  conversation.command({ type: "answer", key: "0", answer: { decision: "allow" }, request: {} as never });
  const content = [{ type: "content", content: { type: "text", text: "Wrote 1 line" } }];
  const end = { sessionUpdate: "tool_call_update", toolCallId: "r1", status: "completed", content };
  expect(events(conversation.update(end))).toMatchObject([
    { type: "tool.ended", data: { status: "ok", output: "Wrote 1 line", changes: [{ path: "/p/a.txt" }] } },
  ]);
});

test("sets modes in the conversation and detects a failure in a message", () => {
  const modes = { currentModeId: "auto", availableModes: [{ id: "auto" }, { id: "approve" }] };
  const conversation = FakeConversation.open(goose, { mode: "ask" }, { modes });
  expect(conversation.last).toMatchObject({ method: "session/set_mode", params: { modeId: "approve" } });
  const running = FakeConversation.startTurn(goose);
  running.sendText(
    "Ran into this error: Authentication error: bad key.\n\nPlease retry if you think this is a transient one.",
  );
  expect(running.answer({ stopReason: "end_turn" }).at(-1)).toMatchObject({ error: { category: "auth" } });
});
