import { expect, test } from "vitest";
import { FakeConversation } from "../acp/testing/conversation.ts";
import type { Output } from "../contract.ts";
import { cursor } from "./descriptor.ts";

const questions = [
  {
    id: "q1",
    prompt: "Which database?",
    options: [
      { id: "pg", label: "Postgres" },
      { id: "lite", label: "SQLite" },
    ],
    allowMultiple: false,
  },
  {
    id: "q2",
    prompt: "Which tests?",
    options: [
      { id: "u", label: "Unit" },
      { id: "e", label: "End to end" },
    ],
    allowMultiple: true,
  },
];
const question = { id: 9, method: "cursor/ask_question", params: { toolCallId: "t1", title: "Choices", questions } };
const plan = {
  id: 10,
  method: "cursor/create_plan",
  params: {
    toolCallId: "t2",
    name: "Add a cache",
    overview: "In front of the store.",
    plan: "# Plan\n1. Write it",
    todos: [{ id: "1", content: "Write it", status: "pending" }],
    isProject: false,
  },
};

const events = (outputs: Output[]) => outputs.flatMap((output) => (output.kind === "event" ? [output.event] : []));

test("asks questions by label and answers by option id", () => {
  const conversation = FakeConversation.startTurn(cursor);
  expect(conversation.receive(question).at(-1)).toMatchObject({
    kind: "ask",
    key: "9",
    request: {
      kind: "question",
      item: "itm_t1",
      title: "Choices",
      questions: [
        { id: "q1", text: "Which database?", multi: false, freeform: false, options: [{ label: "Postgres" }, {}] },
        { id: "q2", multi: true },
      ],
    },
  });
  const answers = { q1: "SQLite", q2: ["Unit", "End to end"] };
  conversation.command({ type: "answer", key: "9", answer: { decision: "allow", answers }, request: {} as never });
  const encoded = [
    { questionId: "q1", selectedOptionIds: ["lite"] },
    { questionId: "q2", selectedOptionIds: ["u", "e"] },
  ];
  expect(conversation.last).toMatchObject({ id: 9, result: { outcome: { outcome: "answered", answers: encoded } } });
  expect(conversation.state.asks).toEqual({});
});

test("declines a question with a reason, or cancels it", () => {
  const conversation = FakeConversation.startTurn(cursor);
  conversation.receive(question);
  conversation.command({
    type: "answer",
    key: "9",
    answer: { decision: "deny", message: "Later." },
    request: {} as never,
  });
  expect(conversation.last.result).toEqual({ outcome: { outcome: "skipped", reason: "Later." } });
  conversation.receive({ ...question, id: 11 });
  conversation.command({ type: "interrupt" });
  expect(conversation.last).toMatchObject({ id: 11, result: { outcome: { outcome: "cancelled" } } });
  conversation.receive({ ...question, id: 12 });
  expect(conversation.last).toMatchObject({ id: 12, result: { outcome: { outcome: "cancelled" } } });
});

test("asks for approval of a plan and shows its steps", () => {
  const conversation = FakeConversation.startTurn(cursor);
  const outputs = conversation.receive(plan);
  expect(events(outputs)).toMatchObject([{ type: "plan.updated", data: { entries: [{ text: "Write it" }] } }]);
  expect(outputs.at(-1)).toMatchObject({
    kind: "ask",
    request: { kind: "plan", title: "Add a cache", detail: "In front of the store.\n\n# Plan\n1. Write it" },
  });
  conversation.command({
    type: "answer",
    key: "10",
    answer: { decision: "deny", message: "Smaller." },
    request: {} as never,
  });
  expect(conversation.last.result).toEqual({ outcome: { outcome: "rejected", reason: "Smaller." } });
  conversation.receive({ ...plan, id: 11 });
  conversation.command({ type: "answer", key: "11", answer: { decision: "allow" }, request: {} as never });
  expect(conversation.last.result).toEqual({ outcome: { outcome: "accepted" } });
});

test("reads recorded answers", () => {
  const conversation = FakeConversation.startTurn(cursor);
  conversation.receive(question);
  const encoded = [{ questionId: "q1", selectedOptionIds: ["pg"] }];
  const result = { outcome: { outcome: "answered", answers: encoded } };
  expect(conversation.decode({ dir: "in", msg: { jsonrpc: "2.0", id: 9, result } })).toMatchObject([
    { kind: "answered", answer: { decision: "allow", answers: { q1: ["Postgres"] } } },
  ]);
});

test("replaces steps, or merges them by id", () => {
  const conversation = FakeConversation.startTurn(cursor);
  const updateTodos = (todos: object[], merge: boolean) =>
    events(conversation.receive({ method: "cursor/update_todos", params: { toolCallId: "t", todos, merge } })).map(
      ({ data }) => (data as { entries: { text: string; status: string }[] }).entries,
    )[0];
  const [one, two] = [
    { id: "1", content: "One", status: "in_progress" },
    { id: "2", content: "Two", status: "pending" },
  ];
  expect(updateTodos([one, two], false)).toHaveLength(2);
  expect(updateTodos([{ id: "1", status: "completed" }], true)).toMatchObject([
    { text: "One", status: "completed" },
    { text: "Two", status: "pending" },
  ]);
  expect(updateTodos([{ ...two, status: "cancelled" }], false)).toMatchObject([{ text: "Two", status: "completed" }]);
});

test("publishes a finished subagent and an image notice, and answers them as requests", () => {
  const conversation = FakeConversation.startTurn(cursor);
  const params = { toolCallId: "t3", description: "Look around", prompt: "p", subagentType: "explore", agentId: "a1" };
  expect(events(conversation.receive({ method: "cursor/task", params }))).toMatchObject([
    { type: "subagent.started", data: { id: "a1", parent: "itm_t3", type: "explore", title: "Look around" } },
    { type: "subagent.ended", data: { id: "a1", status: "ok" } },
  ]);
  const image = { toolCallId: "t4", description: "A logo", filePath: "/p/logo.png" };
  expect(events(conversation.receive({ id: 20, method: "cursor/generate_image", params: image }))).toMatchObject([
    { type: "notice", data: { text: "A picture was made: A logo: /p/logo.png" } },
  ]);
  expect(conversation.last).toMatchObject({ id: 20, result: { outcome: { outcome: "generated" } } });
});

test("does not throw for any params", () => {
  for (const params of [{}, { questions: "no" }, { questions: [1], todos: [null], plan: 3 }]) {
    for (const method of ["ask_question", "create_plan", "update_todos", "task", "generate_image"]) {
      expect(() =>
        FakeConversation.startTurn(cursor).receive({ id: 1, method: `cursor/${method}`, params }),
      ).not.toThrow();
      expect(() => FakeConversation.startTurn(cursor).receive({ method: `cursor/${method}`, params })).not.toThrow();
    }
  }
});

test("needs another process for full-auto, which is a leading argument", () => {
  const [channel] = cursor.channels;
  expect(channel?.launch({ cwd: "/p", mode: "full-auto", uuid: "u", dir: "/d" }).args).toEqual(["--force", "acp"]);
  const conversation = FakeConversation.open(
    cursor,
    { mode: "ask" },
    { modes: { currentModeId: "agent", availableModes: [] } },
  );
  expect(conversation.command({ type: "set", mode: "full-auto" })).toBeUndefined();
});
