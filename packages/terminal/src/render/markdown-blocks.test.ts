import fc from "fast-check";
import { expect, test } from "vitest";
import { makeTheme } from "../text/theme.ts";
import { stripControls, textWidth } from "../text/width.ts";
import { MarkdownBlocks } from "./markdown-blocks.ts";
import { renderMarkdown, renderPart } from "./markdown-rows.ts";

const theme = makeTheme({ depth: 8, scheme: "dark" });
const plain = makeTheme({ depth: 0, scheme: "dark" });

const SAMPLE = [
  "# Title",
  "",
  "A paragraph with **bold** and `code`.",
  "It has a second line.",
  "",
  "- one",
  "- two",
  "  - inner",
  "- three",
  "",
  "1. first",
  "",
  "2. second",
  "",
  "| name | size |",
  "|---|--:|",
  "| a | 1 |",
  "| bb | 22 |",
  "",
  "```ts",
  ...Array.from({ length: 120 }, (_, index) => `const line${index} = "${index}";`),
  "```",
  "",
  "The end.",
].join("\n");

/** The rows of a message that arrives in pieces of these sizes. */
function stream(text: string, sizes: readonly number[], width: number): string[] {
  const blocks = new MarkdownBlocks();
  const rows: string[] = [];
  let at = 0;
  for (let index = 0; at < text.length; index++) {
    const piece = text.slice(at, at + Math.max(1, sizes[index % sizes.length] ?? 1));
    at += piece.length;
    rows.push(...blocks.add(piece).flatMap((part) => renderPart(part, width, plain)));
  }
  return [...rows, ...blocks.finish().flatMap((part) => renderPart(part, width, plain))];
}

test("renders the same rows however a message is cut into pieces", () => {
  const whole = renderMarkdown(SAMPLE, 60, plain);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 }), (sizes) => {
      expect(stream(SAMPLE, sizes, 60)).toEqual(whole);
    }),
    { numRuns: 30 },
  );
});

test("never renders a row that is wider than the terminal", () => {
  const text = fc.string({ unit: fc.constantFrom("word ", "世界", "\n", "- ", "| ", "`", "**", "```\n", "# ", "🚀") });
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 80 }), (sample, width) => {
      for (const row of renderMarkdown(sample, width, theme)) expect(textWidth(row)).toBeLessThanOrEqual(width);
    }),
    { numRuns: 200 },
  );
});

test("releases a long block of code while it is still open", () => {
  const blocks = new MarkdownBlocks();
  const code = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
  const parts = blocks.add(`\`\`\`\n${code}\n`);
  const released = parts.map((part) => (part.kind === "code" ? part.code.split("\n").length : 0));
  expect(released.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(40);
  expect(blocks.openWith("").every((part) => part.kind === "code")).toBe(true);
});

test("draws a table with borders, and keeps it open until its last row has arrived", () => {
  const blocks = new MarkdownBlocks();
  expect(blocks.add("| a | b |\n|---|---|\n| 1 | 2 |\n")).toEqual([]);
  const rows = [...blocks.add("\nafter\n"), ...blocks.finish()].flatMap((part) => renderPart(part, 40, plain));
  expect(rows.join("\n")).toContain("│ 1");
  expect(rows.at(-1)).toBe("after");
});

test("leaves the text of a message unchanged when colour is off", () => {
  const rows = renderMarkdown("Some `code` here", 60, plain);
  expect(rows).toEqual(["Some `code` here"]);
  expect(stripControls(renderMarkdown("Some `code` here", 60, theme).join(""))).toBe("Some code here");
});
