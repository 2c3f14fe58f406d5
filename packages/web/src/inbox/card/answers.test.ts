import type { InputOption, InputRequest, Question } from "@gantry/protocol";
import { expect, test } from "vitest";
import { answersOf, choose, furtherOptions, noReply, write } from "./answers.ts";

function question(id: string, more: Partial<Question> = {}): Question {
  return { id, text: id, options: [{ label: "Red" }, { label: "Blue" }], ...defaults, ...more };
}
const defaults = { multi: false, freeform: true, secret: false };

test("a choice and free text exclude each other in a single-answer question", () => {
  const one = question("q");
  const chosen = choose(one, noReply, "Red", true);
  expect(answersOf([one], { q: chosen })).toEqual({ q: "Red" });
  const written = write(one, chosen, " green ");
  expect(answersOf([one], { q: written })).toEqual({ q: "green" });
  expect(answersOf([one], { q: choose(one, written, "Blue", true) })).toEqual({ q: "Blue" });
});

test("choices and free text combine in a multiple-answer question", () => {
  const many = question("q", { multi: true });
  const both = choose(many, choose(many, noReply, "Red", true), "Blue", true);
  expect(answersOf([many], { q: write(many, both, "green") })).toEqual({ q: ["Red", "Blue", "green"] });
  expect(answersOf([many], { q: choose(many, both, "Red", false) })).toEqual({ q: ["Blue"] });
});

test("gives no answers until every question has one", () => {
  const reply = choose(question("a"), noReply, "Red", true);
  expect(answersOf([question("a"), question("b")], { a: reply })).toBeUndefined();
  expect(answersOf([question("a")], { a: { chosen: [], text: "  " } })).toBeUndefined();
});

test("does not trim a secret", () => {
  const secret = question("q", { secret: true });
  expect(answersOf([secret], { q: { chosen: [], text: " key " } })).toEqual({ q: " key " });
});

test("lists only options that the standard buttons do not cover", () => {
  const option = (id: string, effect: InputOption["effect"]) => ({ id, label: id, effect });
  const options = [
    option("yes", "allow_once"),
    option("yes, and edit", "allow_once"),
    option("session", "allow_session"),
    option("always", "allow_always"),
    option("no", "deny"),
    option("stop", "deny_and_stop"),
  ];
  const input = { options } as InputRequest;
  expect(furtherOptions(input).map(({ id }) => id)).toEqual(["yes, and edit", "always", "stop"]);
});
