import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makePaint } from "./paint.ts";
import { breakText, hangText, stripControls, textWidth, truncateText, wrapText } from "./width.ts";

const paint = makePaint(true);

test("measures the cells that a terminal draws", () => {
  expect(textWidth("abc")).toBe(3);
  expect(textWidth("世界")).toBe(4);
  expect(textWidth("🚀 go")).toBe(5);
  expect(textWidth("é")).toBe(1);
  expect(textWidth(paint.red("abc"))).toBe(3);
});

test("measures every character without the toolkit as the toolkit does", () => {
  const differences: string[] = [];
  for (let code = 0x20; code <= 0xffff; code += 1) {
    // Control characters may begin an escape sequence.
    if (code >= 0x7f && code <= 0x9f) continue;
    const sign = String.fromCharCode(code);
    if (textWidth(sign) !== visibleWidth(sign)) differences.push(code.toString(16));
  }
  expect(differences).toEqual([]);
});

test("measures characters that join with others as the toolkit does", () => {
  const joining = [
    "\u0301",
    "\u200d",
    "\ufe0f",
    "\u20e3",
    "\u1100",
    "\u1161",
    "\u11a8",
    "\u3099",
    "\uff9e",
    "\u0e33",
    "🏽",
    "🇩",
  ];
  const plain = [
    "a",
    "1",
    "#",
    "é",
    "©",
    "Ж",
    "↔",
    "●",
    "○",
    "▶",
    "◾",
    "✓",
    "世",
    "が",
    "カ",
    "한",
    "가",
    "ｗ",
    "👍",
    "❤",
  ];
  const text = fc.string({ unit: fc.constantFrom(...plain, ...joining), maxLength: 8 });
  fc.assert(
    fc.property(text, (sample) => {
      expect(textWidth(sample)).toBe(visibleWidth(sample));
    }),
    { numRuns: 2000 },
  );
});

test("breaks a text by cells and keeps every character", () => {
  expect(textWidth("\x1b[1mab\x1b[0m世界👍")).toBe(8);
  expect(breakText("世界世界", 4)).toEqual(["世界", "世界"]);
  expect(breakText("ab\ncd", 10)).toEqual(["ab", "cd"]);
  expect(breakText("世界", 1)).toEqual(["世", "界"]);
});

test("truncates with room for the ellipsis and closes styles", () => {
  expect(truncateText("abcdef", 6)).toBe("abcdef");
  expect(truncateText("abcdef", 4)).toBe("abc…");
  expect(truncateText("世界世界", 5)).toBe("世界…");
  expect(truncateText(paint.red("abcdef"), 4)).toBe("\x1b[31mabc…\x1b[0m");
});

test("wraps at spaces, and inside a word only if it is wider than a row", () => {
  expect(wrapText("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapText("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrapText("", 4)).toEqual([""]);
  for (const row of wrapText(`${paint.bold("wide")} ${"世".repeat(9)} end`, 7))
    expect(textWidth(row)).toBeLessThanOrEqual(7);
});

test("strips everything that could move the cursor", () => {
  expect(stripControls("a\r\nb\rc")).toBe("a\nb\nc");
  expect(stripControls("\x1b[31mred\x1b[0m \x9b2J\u2028x")).toBe("red x");
});

test("wraps without losing text or exceeding the width", () => {
  expect(wrapText("- abcdefghij", 4)).toEqual(["-", "abcd", "efgh", "ij"]);
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "世", "\n") });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 20 }), (sample, width) => {
      const rows = wrapText(sample, width);
      expect(rows.join("").replace(/\s/g, "")).toBe(sample.replace(/\s/g, ""));
      for (const row of rows) expect(textWidth(row.trimEnd())).toBeLessThanOrEqual(width);
    }),
  );
});

test("closes a style at the end of each row and reopens it on the next", () => {
  expect(wrapText(paint.bold("one two"), 4)).toEqual(["\x1b[1mone\x1b[0m", "\x1b[1mtwo\x1b[22m"]);
});

test("truncates at the first character that does not fit", () => {
  expect(truncateText("a世b世c", 3)).toBe("a…");
});

test("indents further rows below the first row of a text", () => {
  expect(hangText("fix: ", "one two three four five", 25)).toEqual(["fix: one two three four", "     five"]);
  expect(hangText("fix: ", "one two three four five", undefined)).toEqual(["fix: one two three four five"]);
});
