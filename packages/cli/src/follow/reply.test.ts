import type { InputRequest, Question } from "@gantry/protocol";
import { expect, test } from "vitest";
import { choiceOf, choicesOf, editableLine, editedInput, questionReply } from "./reply.ts";

const base: InputRequest = {
  id: "inp_1",
  session: "ses_1",
  kind: "approval",
  title: "Run npm test",
  options: [],
  questions: [],
  blocking: true,
};
const command: InputRequest = {
  ...base,
  tool: { name: "Bash", kind: "execute", input: { command: "npm test", timeout: 5 }, command: "npm test" },
  scope: { tool: "Bash", prefix: "npm test", label: "commands that start with npm test" },
};

test("the letters offered are those that can be done, and the scope is spelled out", () => {
  expect(choicesOf(base).map(({ key }) => key)).toEqual(["y", "n", "m"]);
  expect(choicesOf(command).map(({ key }) => key)).toEqual(["y", "s", "n", "m", "e"]);
  expect(choicesOf(command)[1]?.label).toContain("commands that start with npm test");
});

test("numbers the options that an agent defines and returns their ids", () => {
  const plan = choicesOf({
    ...base,
    options: [
      { id: "o1", label: "Yes", effect: "allow_once" },
      { id: "o2", label: "Yes, always", effect: "allow_always" },
      { id: "o3", label: "No, and stop", effect: "deny_and_stop" },
    ],
  });
  expect(choiceOf(plan, "1")?.answer).toEqual({ decision: "allow", option: "o2" });
  expect(choiceOf(plan, "2")?.answer).toEqual({ decision: "deny", option: "o3" });
});

test("a choice can be typed as a letter or a name", () => {
  const choices = choicesOf(command);
  expect(choiceOf(choices, " Yes ")?.key).toBe("y");
  expect(choiceOf(choices, "deny")?.key).toBe("n");
  expect(choiceOf(choices, "perhaps")).toBeUndefined();
});

test("an edited command keeps the rest of the tool's input", () => {
  expect(editableLine(command)).toBe("npm test");
  expect(editedInput(command, "npm test -- --bail")).toEqual({ command: "npm test -- --bail", timeout: 5 });
  expect(editedInput(command, "  ")).toBeUndefined();
});

test("answers to questions are numbers, labels, or free text where that is allowed", () => {
  const colour: Question = {
    id: "q1",
    text: "Which?",
    options: [{ label: "Red" }, { label: "Blue" }],
    multi: false,
    freeform: false,
    secret: false,
  };
  expect(questionReply(colour, "2")).toBe("Blue");
  expect(questionReply(colour, "red")).toBe("Red");
  expect(questionReply(colour, "green")).toBeUndefined();
  expect(questionReply({ ...colour, freeform: true }, "green")).toBe("green");
  expect(questionReply({ ...colour, multi: true }, "1, 2")).toEqual(["Red", "Blue"]);
});
