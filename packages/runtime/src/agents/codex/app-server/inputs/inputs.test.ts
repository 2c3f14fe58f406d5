import type { InputAnswer } from "@gantry/protocol";
import { expect, test } from "vitest";
import type { InputDraft } from "../../../contract.ts";
import { ofKind } from "../../replay.ts";
import { FakeAppServer, THREAD } from "../conversation.ts";

const about = { threadId: THREAD, turnId: "turn-1", itemId: "call" };

/** Lets the agent ask, answers it, and returns the input and the answer frame. */
function ask(
  method: string,
  params: object,
  answer: InputAnswer,
): { request: InputDraft; result: unknown; conversation: FakeAppServer } {
  const conversation = FakeAppServer.startTurn();
  const [asked] = ofKind(conversation.receive({ id: 0, method, params: { ...about, ...params } }), "ask");
  expect(asked?.key).toBe("0");
  conversation.command({ type: "answer", key: "0", answer, request: {} as never });
  expect(conversation.sent.find((frame) => "result" in frame)).toMatchObject({ id: 0 });
  return {
    request: asked?.request as InputDraft,
    result: conversation.sent.find((frame) => "result" in frame)?.result,
    conversation,
  };
}

const command = {
  command: "/bin/bash -lc 'touch a.txt'",
  cwd: "/w",
  reason: "needs to",
  availableDecisions: [
    "accept",
    { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch", "a.txt"] } },
    "cancel",
  ],
};
const commandMethod = "item/commandExecution/requestApproval";

test("asks for a command with the agent's options and always offers to decline", () => {
  const { request } = ask(commandMethod, command, { decision: "allow" });
  expect(request).toEqual({
    item: "itm_call",
    kind: "approval",
    title: "touch a.txt",
    detail: "needs to",
    tool: { name: "shell", kind: "execute", input: { command: "touch a.txt", cwd: "/w" }, command: "touch a.txt" },
    options: [
      { id: "accept", label: "Allow", effect: "allow_once" },
      { id: "acceptWithExecpolicyAmendment", label: "Always allow touch a.txt", effect: "allow_always" },
      { id: "decline", label: "Deny", effect: "deny" },
      { id: "cancel", label: "Deny and stop", effect: "deny_and_stop" },
    ],
  });
});

test.each<[InputAnswer, unknown]>([
  [{ decision: "allow" }, "accept"],
  [{ decision: "allow_session" }, "accept"],
  [{ decision: "deny" }, "decline"],
  [{ decision: "cancel" }, "cancel"],
  [{ decision: "deny", option: "cancel" }, "cancel"],
  [{ decision: "deny", option: "deny_and_stop" }, "cancel"],
  [{ decision: "deny", option: "accept" }, "decline"],
  [{ decision: "allow", option: "acceptWithExecpolicyAmendment" }, command.availableDecisions[1]],
])("encodes %j as %j", (answer, decision) => {
  expect(ask(commandMethod, command, answer).result).toEqual({ decision });
});

test("sends a denial reason as a message", () => {
  const { conversation } = ask(commandMethod, command, { decision: "deny", message: "use make" });
  expect(conversation.lastSent).toMatchObject({ method: "turn/steer", params: { input: [{ text: "use make" }] } });
});

test("asks for a patch with the announced diff", () => {
  const conversation = FakeAppServer.startTurn();
  const changes = [
    { path: "/w/a.txt", kind: { type: "add" }, diff: "one\ntwo\n" },
    { path: "/w/b.txt", kind: { type: "update", move_path: "/w/c.txt" }, diff: "@@ -1 +1 @@\n-x\n+y\n" },
  ];
  conversation.notify("item/started", { item: { type: "fileChange", id: "call", changes, status: "inProgress" } });
  const [asked] = ofKind(
    conversation.receive({ id: 3, method: "item/fileChange/requestApproval", params: about }),
    "ask",
  );
  expect(asked?.request).toMatchObject({
    title: "Change 2 files",
    tool: { name: "apply_patch", kind: "edit" },
    diff: [
      { path: "/w/a.txt", kind: "add", additions: 2, deletions: 0, diff: "@@ -0,0 +1,2 @@\n+one\n+two\n" },
      { path: "/w/b.txt", kind: "move", to: "/w/c.txt", additions: 1, deletions: 1 },
    ],
  });
  expect(conversation.state.patches).toEqual({});
});

test("grants permissions as requested, for the turn or the session", () => {
  const params = { permissions: { network: { enabled: true }, fileSystem: null }, reason: "to fetch", cwd: "/w" };
  const method = "item/permissions/requestApproval";
  const { request, result } = ask(method, params, { decision: "allow" });
  expect(request).toMatchObject({ kind: "permissions", title: "Permission to use the network", detail: "to fetch" });
  expect(result).toEqual({ permissions: { network: { enabled: true } }, scope: "turn" });
  expect(ask(method, params, { decision: "allow", option: "session" }).result).toMatchObject({ scope: "session" });
  expect(ask(method, params, { decision: "deny" }).result).toEqual({ permissions: {}, scope: "turn" });
});

test("asks and answers questions by their ids", () => {
  const questions = [
    {
      id: "q1",
      header: "Colour",
      question: "Which?",
      isOther: false,
      isSecret: false,
      options: [{ label: "Red", description: "" }],
    },
    { id: "q2", header: "", question: "Key?", isOther: true, isSecret: true, options: null },
  ];
  const method = "item/tool/requestUserInput";
  const answer: InputAnswer = { decision: "allow", answers: { q1: ["Red"], q2: "s3cret" } };
  const { request, result } = ask(method, { questions, isBlocking: true }, answer);
  expect(request).toMatchObject({
    kind: "question",
    questions: [
      { id: "q1", header: "Colour", text: "Which?", options: [{ label: "Red" }], freeform: false, secret: false },
      { id: "q2", text: "Key?", options: [], freeform: true, secret: true },
    ],
  });
  expect(result).toEqual({ answers: { q1: { answers: ["Red"] }, q2: { answers: ["s3cret"] } } });
  expect(ask(method, { questions }, { decision: "deny" }).result).toEqual({ answers: {} });
});

test("answers an MCP server's form in the types of its fields", () => {
  const params = {
    serverName: "tracker",
    mode: "form",
    message: "New ticket",
    requestedSchema: {
      type: "object",
      properties: {
        title: { type: "string", title: "Title" },
        points: { type: "integer" },
        urgent: { type: "boolean" },
        labels: { type: "array", items: { enum: ["a", "b"] } },
      },
    },
  };
  const answers = { title: "T", points: "3", urgent: "true", labels: "a" };
  const { request, result } = ask("mcpServer/elicitation/request", params, { decision: "allow", answers });
  expect(request).toMatchObject({ kind: "elicitation", title: "tracker: New ticket" });
  expect(request.questions?.map(({ id, multi, options }) => [id, multi, options?.length])).toEqual([
    ["title", false, 0],
    ["points", false, 0],
    ["urgent", false, 2],
    ["labels", true, 2],
  ]);
  expect(result).toEqual({
    action: "accept",
    content: { title: "T", points: 3, urgent: true, labels: ["a"] },
    _meta: null,
  });
  expect(ask("mcpServer/elicitation/request", params, { decision: "cancel" }).result).toMatchObject({
    action: "cancel",
  });
});

test("answers legacy requests with legacy decisions", () => {
  const params = { conversationId: THREAD, callId: "call", command: ["ls", "-l"], cwd: "/w", reason: null };
  expect(ask("execCommandApproval", params, { decision: "allow" }).result).toEqual({ decision: "approved" });
  expect(ask("execCommandApproval", params, { decision: "cancel" }).result).toEqual({ decision: "abort" });
  const fileChanges = { "/w/a": { type: "add", content: "x\n" } };
  const { request, result } = ask("applyPatchApproval", { fileChanges }, { decision: "deny" });
  expect(request.diff).toMatchObject([{ path: "/w/a", kind: "add", additions: 1 }]);
  expect(result).toMatchObject({ decision: { denied: {} } });
});

test("answers requests that need no user at once", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.receive({ id: 5, method: "item/tool/call", params: { ...about, tool: "my_tool", arguments: {} } });
  expect(conversation.lastSent).toMatchObject({ id: 5, result: { success: false } });
  conversation.receive({ id: 6, method: "account/chatgptAuthTokens/refresh", params: {} });
  expect(conversation.lastSent).toMatchObject({ id: 6, error: { code: -32603 } });
  for (const method of ["currentTime/read", "constructor", "brand/new"]) {
    const outputs = conversation.receive({ id: method, method, params: {} });
    expect(conversation.lastSent).toMatchObject({ id: method, error: { code: -32601 } });
    expect(outputs.at(-1)).toMatchObject({ event: { type: "raw" } });
  }
});

test("withdraws a question that the agent settles itself, and acknowledges an answered one", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.receive({ id: 0, method: commandMethod, params: { ...about, ...command } });
  expect(conversation.notify("serverRequest/resolved", { requestId: 0 })).toEqual([
    { kind: "ack", key: "answer:0" },
    { kind: "withdrawn", key: "0", reason: "the agent settled it" },
  ]);
  const { conversation: answered } = ask(commandMethod, command, { decision: "allow" });
  expect(answered.notify("serverRequest/resolved", { requestId: 0 })).toEqual([{ kind: "ack", key: "answer:0" }]);
});

test("accepts an invalid id and a recorded answer of any shape without throwing", () => {
  const conversation = FakeAppServer.startTurn();
  const shapeless = { toString: null };
  expect(conversation.notify("serverRequest/resolved", { requestId: shapeless })).toMatchObject([{ kind: "ack" }]);
  const params = { ...about, serverName: "s", message: "m", requestedSchema: {} };
  conversation.receive({ id: 0, method: "mcpServer/elicitation/request", params });
  const recorded = { id: 0, result: { action: "accept", content: { a: shapeless, b: "x" } } };
  expect(conversation.decode({ dir: "in", msg: recorded })).toEqual([
    { kind: "answered", key: "0", answer: { decision: "allow", answers: { a: '{"toString":null}', b: "x" } } },
  ]);
});

test("withdraws a turn's open questions before its end", () => {
  const conversation = FakeAppServer.startTurn();
  conversation.receive({ id: 0, method: commandMethod, params: { ...about, ...command } });
  const outputs = conversation.notify("turn/completed", { turn: { id: "turn-1", status: "interrupted" } });
  expect(outputs.map(({ kind }) => kind)).toEqual(["withdrawn", "finish"]);
});
