import { expect, test } from "vitest";
import { makeTheme } from "../text/theme.ts";
import { stripControls, textWidth } from "../text/width.ts";
import { parseDiff, renderDiffRows } from "./diff-rows.ts";

const theme = makeTheme({ depth: 8, scheme: "dark" });
const DIFF = [
  "diff --git a/a.ts b/a.ts",
  "--- a/a.ts",
  "+++ b/a.ts",
  "@@ -9,4 +9,4 @@ function a() {",
  " same",
  "-  return one(value);",
  "+  return two(value);",
  "--- a line that begins like a header",
  "@@ -99 +99,2 @@",
  " end",
  "+new",
  "\\ No newline at end of file",
].join("\n");

test("numbers lines by the new file, and removed lines by the old one", () => {
  const rows = renderDiffRows(DIFF, theme, 60).map((row) => stripControls(row).trimEnd());
  expect(rows).toEqual([
    "@@ -9,4 +9,4 @@ function a() {",
    "  9   same",
    " 10 -   return one(value);",
    " 10 +   return two(value);",
    " 11 - -- a line that begins like a header",
    "@@ -99 +99,2 @@",
    " 99   end",
    "100 + new",
    "\\ No newline at end of file",
  ]);
});

test("marks only the parts of a line that differ", () => {
  const rows = renderDiffRows(DIFF, theme, 60);
  expect(rows[2]).toContain(theme.removedWord("one"));
  expect(rows[3]).toContain(theme.addedWord("two"));
  expect(rows[3]).not.toContain(theme.addedWord("return"));
});

test("wraps long lines inside of the width", () => {
  const long = `@@ -1 +1 @@\n+${"世界 ".repeat(60)}`;
  const rows = renderDiffRows(long, theme, 40);
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(40);
});

test("has no numbers for lines outside of a hunk", () => {
  expect(parseDiff("Binary files differ")).toEqual([]);
});
