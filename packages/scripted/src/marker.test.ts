import { expect, test } from "vitest";
import { lastMarker, markedFolder, numberArgument } from "./marker.ts";
import { pieces } from "./pieces.ts";

test("reads the last marker with its arguments", () => {
  expect(lastMarker("[[write]] and then [[slow:40:50]]")).toEqual({ name: "slow", args: ["40", "50"] });
  expect(lastMarker("[[text]] [[cwd:/a:b]]")).toEqual({ name: "text", args: [] });
  expect(lastMarker("no [[ marker ]] here [[1]]")).toBeNull();
});

test("reads the folder of a cwd marker", () => {
  expect(markedFolder("[[cwd:/tmp/x y]] [[text]]")).toBe("/tmp/x y");
  expect(markedFolder("[[text]]")).toBeNull();
});

test("uses the fallback for missing or invalid numbers", () => {
  expect(numberArgument(["7"], 0, 1)).toBe(7);
  expect(numberArgument(["-7"], 0, 1)).toBe(1);
  expect(numberArgument([], 0, 1)).toBe(1);
});

test("cuts a text into pieces without splitting surrogate pairs", () => {
  const text = "a🚀b👩‍👩‍👧‍👦 c\u2028d";
  for (const size of [1, 2, 3, "word"] as const) {
    expect(pieces(text, size).join("")).toBe(text);
    for (const piece of pieces(text, size)) expect(piece.isWellFormed()).toBe(true);
  }
});
