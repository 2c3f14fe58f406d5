import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText, trimEndOf } from "./plain-text.ts";

it.each([
  ["**bold** and _soft_.", "bold and soft."],
  ["(*a* *b*, ***c***)", "(a b, c)"],
  ["snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"],
  ["* a list *entry*", "a list entry"],
  ["a <!-- hidden\nmore --> b <!-- open", "a b <!-- open"],
  ["*one\ntwo*", "*one\ntwo*"],
])("reads %j as %j", (markdown, expected) => expect(plainText(markdown)).toBe(expected));

it("trims the characters of a class from the end only", () => {
  expect(trimEndOf(".. a. b ..", /[\s.]/)).toBe(".. a. b");
  expect([trimEndOf("...", /\./), trimEndOf("", /\./)]).toEqual(["", ""]);
});

it("removes the pairs that a pattern with backtracking finds", () => {
  const pairs = /(^|[\s(])([*_]{1,3})(?=\S)([^\n]*?\S)\2(?=[\s).,;:!?]|$)/gm;
  const line = fc.array(fc.constantFrom("*", "_", " ", "b", "(", ".", ")"), { maxLength: 14 });
  fc.assert(
    fc.property(line, (parts) => {
      // A line that starts with a letter is no list and no rule.
      const text = `a ${parts.join("")}`;
      expect(plainText(text)).toBe(text.replace(pairs, "$1$3").replace(/ +/g, " ").trim());
    }),
  );
});

/** The least processor time of three runs in milliseconds. Unlike a clock, it does not count the work of others. */
function time(action: () => unknown): number {
  const runs = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    action();
    return process.cpuUsage(start).user / 1000;
  });
  return Math.min(...runs);
}

describe("a text of openers that nothing closes", () => {
  const pieces = [
    " *a",
    "_a ",
    " **a",
    "(*_a",
    "<!--",
    "[a](",
    "[a",
    "~~a",
    "```\n",
    "- ",
    "> ",
    " \t",
    "-- x",
    '[a](b "',
  ];
  const SIZE = 40_000;

  it.each(pieces)("takes linear time: %j", (piece) => {
    const textOf = (length: number) => piece.repeat(Math.ceil(length / piece.length));
    const [short, long] = [textOf(SIZE), textOf(4 * SIZE)];
    // Linear time grows 4 times, quadratic time 16 times. Below 10 ms, the garbage collector decides.
    expect(time(() => plainText(long))).toBeLessThan(
      10 *
        Math.max(
          time(() => plainText(short)),
          10,
        ),
    );
  });

  it("takes linear time to trim a run that does not end the text", () => {
    const textOf = (length: number) => `${" ".repeat(length)}x`;
    const trim = (length: number) => time(() => trimEndOf(textOf(length), /\s/));
    expect(trim(16 * SIZE)).toBeLessThan(10 * Math.max(trim(4 * SIZE), 10));
  });
});
