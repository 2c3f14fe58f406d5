import { expect, test } from "vitest";
import { launchOf } from "../acp/dialect.ts";
import { FakeConversation, SESSION } from "../acp/testing/conversation.ts";
import type { Output } from "../contract.ts";
import { hermes } from "./descriptor.ts";
import { dialect } from "./dialect.ts";

const text = (value: string) => [{ type: "content", content: { type: "text", text: value } }];
const events = (outputs: Output[]) => outputs.flatMap((output) => (output.kind === "event" ? [output.event] : []));
const options = [
  { optionId: "allow_once", kind: "allow_once", name: "Allow edit" },
  { optionId: "deny", kind: "reject_once", name: "Deny" },
];

test("matches the permission request of an edit with the announced call despite another name", () => {
  const conversation = FakeConversation.startTurn(hermes);
  const content = text("Preparing write to a.txt. Approval prompt shows the diff.");
  conversation.update({
    sessionUpdate: "tool_call",
    toolCallId: "tc-1",
    title: "write_file: a.txt",
    kind: "edit",
    content,
  });
  const diff = [{ type: "diff", path: "/p/a.txt", oldText: null, newText: "x\n" }];
  const rawInput = { tool: "write_file", arguments: { path: "a.txt" } };
  const toolCall = {
    toolCallId: "edit-approval-1",
    title: "Approve edit: a.txt",
    kind: "edit",
    content: diff,
    rawInput,
  };
  const params = { sessionId: SESSION, toolCall, options };
  const outputs = conversation.receive({ id: 0, method: "session/request_permission", params });
  expect(outputs.at(-1)).toMatchObject({
    kind: "ask",
    request: {
      item: "itm_tc-1",
      title: "write_file: a.txt",
      tool: { name: "write_file", input: { path: "a.txt" } },
      diff: [{ path: "/p/a.txt", kind: "add" }],
    },
  });
  expect(events(outputs).filter(({ type }) => type === "tool.started")).toEqual([]);
  conversation.command({ type: "answer", key: "0", answer: { decision: "deny" }, request: {} as never });
  const failed = { sessionUpdate: "tool_call_update", toolCallId: "tc-1", status: "failed", content: text("denied") };
  expect(events(conversation.update(failed))).toMatchObject([
    { type: "tool.ended", data: { item: "itm_tc-1", status: "denied" } },
  ]);
});

test("reads a command's output and exit code from its content list", () => {
  const conversation = FakeConversation.startTurn(hermes);
  const start = { toolCallId: "tc-1", title: "terminal: make", kind: "execute", content: text("$ make") };
  expect(events(conversation.update({ sessionUpdate: "tool_call", ...start }))).toMatchObject([
    { type: "tool.started", data: { name: "terminal", input: { command: "make" } } },
  ]);
  const content = text("terminal result\n- **output:** no rule\nto make\n- **exit_code:** 2");
  const end = { sessionUpdate: "tool_call_update", toolCallId: "tc-1", kind: "execute", status: "failed", content };
  expect(events(conversation.update(end))).toMatchObject([
    { type: "tool.ended", data: { status: "error", exitCode: 2, output: "no rule\nto make" } },
  ]);
});

test("detects a failure in a message", () => {
  const conversation = FakeConversation.startTurn(hermes);
  conversation.sendText("Error: Error code: 429 - {'error': {'message': 'Rate limit reached'}}");
  expect(conversation.answer({ stopReason: "end_turn" }).at(-1)).toMatchObject({
    outcome: "failed",
    error: { category: "rate_limit" },
  });
});

test("loads instead of resuming, and treats an empty response as lost", () => {
  const conversation = new FakeConversation(hermes, { resume: "s-1" });
  const can = { loadSession: true, sessionCapabilities: { resume: {}, fork: {} } };
  conversation.answer({ protocolVersion: 1, agentCapabilities: can });
  expect(conversation.last.method).toBe("session/load");
  expect(conversation.receive({ id: conversation.last.id, result: null })).toMatchObject([
    { kind: "ack" },
    { kind: "lost" },
  ]);
});

test.each(["ask", "auto-edit", "full-auto", "inherit"] as const)("runs the user's hooks in mode %s", (mode) => {
  const launch = launchOf(dialect, { cwd: "/p", mode, uuid: "u", dir: "/d", kit: { servers: [], skills: [] } });
  expect(launch.env).toMatchObject({ HERMES_ACCEPT_HOOKS: "1" });
});
