import type { InputOption, InputRequest, Question } from "@gantry/protocol";
import { expect, test } from "vitest";
import { answersOf, choose, furtherOptions, noReply, write } from "./answers.ts";

function question(id: string, more: Partial<Question> = {}): Question {
  return { id, text: id, options: [{ label: "Red" }, { label: "Blue" }], ...defaults, ...more };
}
const defaults = { multi: false, freeform: true, secret: false };

test("a choice and one's own words exclude each other in a question with one answer", () => {
  const one = question("q");
  const chosen = choose(one, noReply, "Red", true);
  expect(answersOf([one], { q: chosen })).toEqual({ q: "Red" });
  const written = write(one, chosen, " green ");
  expect(answersOf([one], { q: written })).toEqual({ q: "green" });
  expect(answersOf([one], { q: choose(one, written, "Blue", true) })).toEqual({ q: "Blue" });
});

test("several choices and words go together where several answers are taken", () => {
  const many = question("q", { multi: true });
  const both = choose(many, choose(many, noReply, "Red", true), "Blue", true);
  expect(answersOf([many], { q: write(many, both, "green") })).toEqual({ q: ["Red", "Blue", "green"] });
  expect(answersOf([many], { q: choose(many, both, "Red", false) })).toEqual({ q: ["Blue"] });
});

test("there are no answers while one question has none", () => {
  const reply = choose(question("a"), noReply, "Red", true);
  expect(answersOf([question("a"), question("b")], { a: reply })).toBeUndefined();
  expect(answersOf([question("a")], { a: { chosen: [], words: "  " } })).toBeUndefined();
});

test("a secret keeps its blanks", () => {
  const secret = question("q", { secret: true });
  expect(answersOf([secret], { q: { chosen: [], words: " key " } })).toEqual({ q: " key " });
});

test("only options that say more than the standard buttons are further ones", () => {
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
