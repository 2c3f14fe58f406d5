import { expect, test } from "vitest";
import { lastMarker, markedFolder, numberArgument } from "./marker.ts";
import { pieces } from "./pieces.ts";

test("the last marker counts, with its arguments", () => {
  expect(lastMarker("[[write]] and then [[slow:40:50]]")).toEqual({ name: "slow", args: ["40", "50"] });
  expect(lastMarker("[[text]] [[cwd:/a:b]]")).toEqual({ name: "text", args: [] });
  expect(lastMarker("no [[ marker ]] here [[1]]")).toBeNull();
});

test("a folder can be named", () => {
  expect(markedFolder("[[cwd:/tmp/x y]] [[text]]")).toBe("/tmp/x y");
  expect(markedFolder("[[text]]")).toBeNull();
});

test("numbers have a fallback", () => {
  expect(numberArgument(["7"], 0, 1)).toBe(7);
  expect(numberArgument(["-7"], 0, 1)).toBe(1);
  expect(numberArgument([], 0, 1)).toBe(1);
});

test("pieces join to the text and keep surrogate pairs whole", () => {
  const text = "a🚀b👩‍👩‍👧‍👦 c\u2028d";
  for (const size of [1, 2, 3, "word"] as const) {
    expect(pieces(text, size).join("")).toBe(text);
    for (const piece of pieces(text, size)) expect(piece.isWellFormed()).toBe(true);
  }
});
