import { expect, test } from "vitest";
import { makePaint } from "./paint.ts";
import { printable, textWidth, truncate, wrap } from "./width.ts";

const paint = makePaint(true);

test("cells are counted as a terminal draws them", () => {
  expect(textWidth("abc")).toBe(3);
  expect(textWidth("世界")).toBe(4);
  expect(textWidth("🚀 go")).toBe(5);
  expect(textWidth("é")).toBe(1);
  expect(textWidth(paint.red("abc"))).toBe(3);
});

test("truncate leaves room for the ellipsis and closes styles", () => {
  expect(truncate("abcdef", 6)).toBe("abcdef");
  expect(truncate("abcdef", 4)).toBe("abc…");
  expect(truncate("世界世界", 5)).toBe("世界…");
  expect(truncate(paint.red("abcdef"), 4)).toBe("\x1b[31mabc…\x1b[0m");
});

test("wrap breaks at spaces, and inside a word only when it must", () => {
  expect(wrap("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrap("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrap("", 4)).toEqual([""]);
  for (const row of wrap(`${paint.bold("wide")} ${"世".repeat(9)} end`, 7))
    expect(textWidth(row)).toBeLessThanOrEqual(7);
});

test("printable takes away everything that could move the cursor", () => {
  expect(printable("a\r\nb\rc")).toBe("a\nb\nc");
  expect(printable("\x1b[31mred\x1b[0m \x9b2J\u2028x")).toBe("red x");
});
