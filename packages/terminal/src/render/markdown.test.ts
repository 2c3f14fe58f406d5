import fc from "fast-check";
import { expect, test } from "vitest";
import { makePaint, type Paint } from "../text/paint.ts";
import { stripControls } from "../text/width.ts";
import { MarkdownLines } from "./markdown.ts";

const styles = ["bold", "dim", "italic", "underline", "red", "green", "yellow", "blue", "magenta", "cyan"];
const fakePaint = (style: (name: string, text: string) => string) =>
  ({
    enabled: true,
    ...Object.fromEntries(styles.map((name) => [name, (text: string) => style(name, text)])),
  }) as unknown as Paint;
const tags = fakePaint((name, text) => `<${name}>${text}</>`);
const render = (markdown: MarkdownLines, lines: string[]) => lines.flatMap((line) => markdown.render(line));

const sample = ["# Head", "- **bold** and `code`", "3. an *item*", "```ts", "const a = `b`", "```", "2 * 3 ** 4"];

test("hides the marks of Markdown and leaves code unchanged", () => {
  expect(render(new MarkdownLines({ paint: tags }), sample)).toEqual([
    "<bold>Head</>",
    "<cyan>•</> <bold>bold</> and <cyan>code</>",
    "<cyan>3.</> an <italic>item</>",
    "<dim>```ts</>",
    "<cyan>const a = `b`</>",
    "<dim>```</>",
    "2 * 3 ** 4",
  ]);
});

test("keeps the marks on request, so that copied text is the original", () => {
  expect(render(new MarkdownLines({ paint: tags, keepMarks: true }), sample)).toEqual([
    "<bold># Head</>",
    "<cyan>-</> <bold>**bold**</> and <cyan>`code`</>",
    "<cyan>3.</> an <italic>*item*</>",
    "<dim>```ts</>",
    "<cyan>const a = `b`</>",
    "<dim>```</>",
    "2 * 3 ** 4",
  ]);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }).map(stripControls)), (lines) => {
      const markdown = new MarkdownLines({ paint: fakePaint((_, text) => text), keepMarks: true });
      for (const line of lines.filter((each) => !each.includes("\n"))) expect(markdown.render(line)).toEqual([line]);
    }),
  );
});

test("returns the text unchanged without colour", () => {
  const lines = ["# Head", "- **bold**", "> quote \\* `x`"];
  expect(render(new MarkdownLines({ paint: makePaint(false) }), lines)).toEqual(lines);
});

test("wraps prose, and neither code nor tables", () => {
  const markdown = new MarkdownLines({ paint: makePaint(false) });
  expect(markdown.render("one two three", 8)).toEqual(["one two", "three"]);
  expect(markdown.render("| one | two | three |", 8)).toEqual(["| one | two | three |"]);
  markdown.render("~~~");
  expect(markdown.render("one two three", 8)).toEqual(["one two three"]);
  markdown.reset();
  expect(markdown.render("one two three", 8)).toEqual(["one two", "three"]);
});

test("styles long hostile lines without delay", () => {
  const markdown = new MarkdownLines({ paint: tags });
  const started = performance.now();
  for (const unit of ["*", "**a", "[", "`", "_a*"]) markdown.render(unit.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(10_000);
});
