import { beforeAll, expect, test } from "vitest";
import { makeTheme } from "../text/theme.ts";
import { stripControls } from "../text/width.ts";
import { highlightCode, languageOf, loadHighlighter } from "./highlight.ts";

const theme = makeTheme({ depth: 8, scheme: "dark" });
beforeAll(() => loadHighlighter());

test("colours code and keeps every character", () => {
  const code = "const a: string = \"<b> & 'c'\"; // why\n/* two\nlines */ if (a) {}\n";
  const lines = highlightCode(code, "ts", theme);
  expect(lines.map(stripControls).join("\n")).toBe(code);
  expect(lines[0]).toContain(theme.syntax.keyword("const"));
  expect(lines[1]).toBe(theme.syntax.comment("/* two"));
});

test("leaves code of an unknown language plain, and all code without colour", () => {
  expect(highlightCode("a b", "no-such-language", theme)).toEqual(["a b"]);
  expect(highlightCode("const a", "ts", makeTheme({ depth: 0, scheme: "dark" }))).toEqual(["const a"]);
});

test("finds the language in the first word of a fence and in a file name", () => {
  expect(highlightCode("let x", "ts {1,3}", theme)[0]).toContain("\x1b[");
  expect(languageOf("src/a.py")).toBe("py");
  expect(languageOf("Makefile")).toBeUndefined();
});
