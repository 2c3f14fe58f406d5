import type { InputRequest } from "@gantry/protocol";
import { expect, test } from "vitest";
import { answerBody } from "./answer.ts";

const input: InputRequest = {
  id: "inp_1",
  session: "ses_1",
  kind: "question",
  title: "Which colour?",
  options: [{ id: "stop", label: "Deny and stop", effect: "deny_and_stop" }],
  questions: [
    { id: "q1", text: "Which colour?", options: [{ label: "Red" }], multi: false, freeform: false, secret: false },
  ],
  blocking: true,
};
const approval = { ...input, questions: [] };

test("flags become an answer", () => {
  expect(answerBody(approval, { session: true }, "allow")).toEqual({ decision: "allow_session" });
  expect(answerBody(approval, { session: false, message: "no" }, "deny")).toEqual({ decision: "deny", message: "no" });
  expect(answerBody(approval, { session: false, option: "deny and stop" }, "allow")).toEqual({
    decision: "deny",
    option: "stop",
  });
  expect(answerBody(input, { session: false, answer: ["q1=1"] }, "allow").answers).toEqual({ q1: "Red" });
  expect(answerBody(input, { session: false, answer: ["Red"] }, "allow").answers).toEqual({ q1: "Red" });
});

test("what does not fit the question is a usage error", () => {
  const wrong = [{ session: false }, { session: false, answer: ["q9=1"] }, { session: false, answer: ["q1=Green"] }];
  for (const flags of wrong)
    expect(() => answerBody(input, flags, "allow")).toThrow(expect.objectContaining({ exit: 2 }));
  expect(() => answerBody(approval, { session: false, option: "x" }, "allow")).toThrow(/is not an option/);
});
