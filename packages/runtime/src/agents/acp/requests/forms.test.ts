import { expect, test } from "vitest";
import { kimi } from "../../kimi/descriptor.ts";
import { FakeConversation, SESSION } from "../testing/conversation.ts";

const asks = (outputs: { kind: string }[]) => outputs.find(({ kind }) => kind === "ask");

test("advertises forms to an agent that asks with them and maps them to questions", () => {
  const conversation = FakeConversation.startTurn(kimi);
  expect(conversation.sent[0]?.params).toMatchObject({ clientCapabilities: { elicitation: { form: {} } } });
  const colour = { type: "string", title: "Colour", oneOf: [{ const: "Red", description: "warm" }, { const: "Blue" }] };
  const sizes = { type: "array", title: "Sizes", items: { anyOf: [{ const: "S" }, { const: "L" }] } };
  const outputs = conversation.receive({
    id: 0,
    method: "elicitation/create",
    params: {
      sessionId: SESSION,
      toolCallId: "0:call_1",
      mode: "form",
      message: "Which colour?\nWhich sizes?",
      requestedSchema: { type: "object", properties: { q0: colour, q1: sizes } },
    },
  });
  expect(asks(outputs)).toMatchObject({
    request: {
      kind: "question",
      item: "itm_0:call_1",
      questions: [
        {
          id: "q0",
          header: "Colour",
          text: "Which colour?",
          options: [{ label: "Red", description: "warm" }, { label: "Blue" }],
          multi: false,
          freeform: false,
        },
        { id: "q1", text: "Which sizes?", multi: true },
      ],
    },
  });
  const answer = { decision: "allow" as const, answers: { q0: "Blue", q1: ["S", "L"] } };
  conversation.command({ type: "answer", key: "0", answer, request: {} as never });
  expect(conversation.last).toMatchObject({ result: { action: "accept", content: { q0: "Blue", q1: ["S", "L"] } } });
});

const planned = {
  options: [
    { optionId: "plan_approve", name: "Approve", kind: "allow_once" },
    { optionId: "plan_revise", name: "Revise", kind: "reject_once" },
  ],
  toolCall: {
    toolCallId: "t1",
    title: "ExitPlanMode",
    content: [{ type: "content", content: { type: "text", text: "1. do it" } }],
  },
};

test.each([
  ["allow" as const, ["ask"]],
  ["deny" as const, []],
])("asks for approval of a plan; after %s the mode changes to %j", (decision, modes) => {
  const offers = { modes: { currentModeId: "plan", availableModes: [{ id: "default" }, { id: "plan" }] } };
  const conversation = FakeConversation.open(kimi, { mode: "plan" }, offers);
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  const params = { sessionId: SESSION, ...planned };
  const outputs = conversation.receive({ id: 0, method: "session/request_permission", params });
  expect(asks(outputs)).toMatchObject({ request: { kind: "plan", detail: "1. do it" } });
  conversation.command({ type: "answer", key: "0", answer: { decision }, request: {} as never });
  const status = decision === "allow" ? "completed" : "failed";
  const ended = conversation.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status });
  const changed = ended.flatMap((output) => (output.kind === "event" ? [output.event] : []));
  expect(changed.flatMap(({ type, data }) => (type === "mode.changed" ? [data.to] : []))).toEqual(modes);
});
