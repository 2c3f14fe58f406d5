import type { InputAnswer } from "@gantry/protocol";
import { expect, test } from "vitest";
import { gemini } from "../../gemini/descriptor.ts";
import { nanocoder } from "../../nanocoder/descriptor.ts";
import { qwen } from "../../qwen/descriptor.ts";
import { FakeConversation, SESSION } from "../testing/conversation.ts";

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
  { optionId: "never", name: "Never", kind: "reject_always" },
];

function askForPermission(toolCall: object = { toolCallId: "t1", kind: "execute", title: "ls -l" }, agent = gemini) {
  const conversation = FakeConversation.startTurn(agent);
  const params = { sessionId: SESSION, options, toolCall };
  const outputs = conversation.receive({ id: 0, method: "session/request_permission", params });
  return { conversation, ask: outputs.find((output) => output.kind === "ask") };
}

test("asks for permission with the command, the diff and the effect of each option", () => {
  const { ask } = askForPermission();
  expect(ask).toMatchObject({
    key: "0",
    request: {
      kind: "approval",
      item: "itm_t1",
      title: "ls -l",
      tool: { name: "execute", kind: "execute", command: "ls -l" },
      options: [
        { id: "always", effect: "allow_always" },
        { id: "once", effect: "allow_once" },
        { id: "no", effect: "deny" },
        { id: "never", effect: "deny" },
      ],
    },
  });
  const content = [{ type: "diff", path: "/a", oldText: null, newText: "x\n" }];
  expect(askForPermission({ toolCallId: "write_file__1", kind: "edit", title: "Write", content }).ask).toMatchObject({
    request: { tool: { name: "write_file" }, diff: [{ path: "/a", kind: "add", additions: 1 }] },
  });
});

test.each<[InputAnswer, object]>([
  [{ decision: "allow" }, { outcome: "selected", optionId: "once" }],
  [{ decision: "allow_session" }, { outcome: "selected", optionId: "once" }],
  [
    { decision: "allow", option: "always" },
    { outcome: "selected", optionId: "always" },
  ],
  [{ decision: "deny" }, { outcome: "selected", optionId: "no" }],
  [
    { decision: "deny", option: "never" },
    { outcome: "selected", optionId: "never" },
  ],
  [{ decision: "cancel" }, { outcome: "cancelled" }],
])("encodes the answer %j", (answer, outcome) => {
  const { conversation } = askForPermission();
  const frames = conversation.command({ type: "answer", key: "0", answer, request: {} as never });
  expect(frames).toEqual([{ msg: { jsonrpc: "2.0", id: 0, result: { outcome } }, key: "answer:0", repeat: "safe" }]);
  expect(conversation.state.asks).toEqual({});
});

test("ends a denied call as denied at the end of the turn", () => {
  const { conversation } = askForPermission();
  conversation.command({ type: "answer", key: "0", answer: { decision: "deny" }, request: {} as never });
  conversation.sendText("Fine.");
  expect(conversation.receive({ id: 3, result: { stopReason: "end_turn" } })).toMatchObject([
    { event: { type: "message.done" } },
    { event: { type: "tool.ended", data: { item: "itm_t1", status: "denied" } } },
    { kind: "finish", outcome: "completed" },
  ]);
});

test("withdraws a question that the agent cancels or that outlives its turn", () => {
  const first = askForPermission().conversation;
  expect(first.receive({ method: "$/cancel_request", params: { requestId: 0 } })).toMatchObject([
    { kind: "withdrawn", key: "0" },
  ]);
  const second = askForPermission().conversation;
  expect(second.receive({ id: 3, result: { stopReason: "end_turn" } })).toContainEqual({
    kind: "withdrawn",
    key: "0",
    reason: "the turn ended",
  });
});

test("reads the call of a version 2 request from its subject", () => {
  const conversation = FakeConversation.startTurn(gemini);
  const subject = { type: "tool_call", toolCall: { toolCallId: "t1", name: "Write", kind: "edit" } };
  const params = { sessionId: SESSION, title: "Write it?", subject, options };
  expect(conversation.receive({ id: 4, method: "session/request_permission", params }).at(-1)).toMatchObject({
    request: { title: "Write it?", tool: { name: "Write", kind: "edit" } },
  });
});

test("asks the questions inside a permission request and answers them by index", () => {
  const qwenQuestions = [
    { question: "Which?", header: "Choice", options: [{ label: "A" }, { label: "B" }], multiSelect: true },
  ];
  const _meta = { toolName: "ask_user_question", qwenInteractionKind: "user_question", qwenQuestions };
  const { conversation, ask } = askForPermission({ toolCallId: "t1", kind: "think", title: "Ask", _meta }, qwen);
  expect(ask).toMatchObject({ request: { kind: "question", questions: [{ id: "0", text: "Which?", multi: true }] } });
  conversation.command({
    type: "answer",
    key: "0",
    answer: { decision: "allow", answers: { "0": ["A", "B"] } },
    request: {} as never,
  });
  expect(conversation.last.result).toEqual({
    outcome: { outcome: "selected", optionId: "once" },
    answers: { "0": "A, B" },
  });
});

test("asks for each field of a form and answers in the fields' types", () => {
  const conversation = FakeConversation.startTurn(gemini);
  const properties = { name: { type: "string", title: "Name" }, count: { type: "integer" }, sure: { type: "boolean" } };
  const params = { sessionId: SESSION, message: "Please answer", requestedSchema: { type: "object", properties } };
  const [ask] = conversation.receive({ id: "e1", method: "elicitation/create", params });
  expect(ask).toMatchObject({
    key: '"e1"',
    request: { kind: "elicitation", questions: [{ id: "name" }, { id: "count" }, { id: "sure" }] },
  });
  const answers = { name: "x", count: "3", sure: "true" };
  conversation.command({ type: "answer", key: '"e1"', answer: { decision: "allow", answers }, request: {} as never });
  expect(conversation.last).toMatchObject({
    id: "e1",
    result: { action: "accept", content: { name: "x", count: 3, sure: true } },
  });
});

test.each(["fs/read_text_file", "terminal/create"])("rejects %s and publishes a notice", (method) => {
  const conversation = FakeConversation.startTurn(gemini);
  expect(conversation.receive({ id: 7, method, params: { sessionId: SESSION } })).toMatchObject([
    { kind: "send", frame: { msg: { id: 7, error: { code: -32601 } } } },
    { event: { type: "notice" } },
  ]);
});

test("rejects an unknown request as raw, and an ignored one silently", () => {
  expect(FakeConversation.startTurn(gemini).receive({ id: 7, method: "vendor/do", params: {} })).toMatchObject([
    { kind: "send", frame: { msg: { error: { code: -32601 } } } },
    { event: { type: "raw" } },
  ]);
  expect(
    FakeConversation.startTurn(qwen).receive({ id: 7, method: "craft/drainMidTurnQueue", params: {} }),
  ).toMatchObject([{ kind: "send" }]);
});

/** Nanocoder asks a question: each option of the request is an answer. */
function askQuestion() {
  const conversation = FakeConversation.startTurn(nanocoder);
  const answers = ["Red", "Blue"].map((name, index) => ({ optionId: `answer-${index}`, name, kind: "allow_once" }));
  const params = { sessionId: SESSION, options: answers, toolCall: { toolCallId: "t1", title: "Which colour?" } };
  const outputs = conversation.receive({ id: 0, method: "session/request_permission", params });
  return { conversation, ask: outputs.find((output) => output.kind === "ask") };
}

test("shows a request whose options are answers as a question, and sends the option of the answer", () => {
  const { conversation, ask } = askQuestion();
  expect(ask).toMatchObject({
    request: {
      kind: "question",
      questions: [{ id: "0", text: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }], freeform: false }],
    },
  });
  const answer: InputAnswer = { decision: "allow", answers: { "0": "Blue" } };
  const [frame] = conversation.command({ type: "answer", key: "0", answer, request: {} as never }) ?? [];
  expect(frame?.msg).toMatchObject({ result: { outcome: { outcome: "selected", optionId: "answer-1" } } });
});

test("cancels such a question that is dismissed or answered with something else", () => {
  for (const answer of [{ decision: "deny" as const }, { decision: "allow" as const, answers: { "0": "Green" } }]) {
    const [frame] =
      askQuestion().conversation.command({ type: "answer", key: "0", answer, request: {} as never }) ?? [];
    expect(frame?.msg).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
  }
});

test("denies an open request before the turn is cancelled if the agent cannot continue after a cancelled one", () => {
  const { conversation } = askForPermission(undefined, nanocoder);
  const frames = conversation.command({ type: "interrupt" }) ?? [];
  expect(frames.map(({ msg }) => msg)).toMatchObject([
    { result: { outcome: { outcome: "selected", optionId: "no" } } },
    { method: "session/cancel" },
  ]);
});
