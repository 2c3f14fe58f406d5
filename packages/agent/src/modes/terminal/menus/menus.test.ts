import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { MarkdownLines } from "../markdown.ts";
import { cellsOf, wordRows } from "../screen.ts";
import { readBindings } from "../typing/bindings.ts";
import { Editor } from "../typing/editor.ts";
import { editInExternalEditor } from "../typing/external-editor.ts";
import { openPromptHistory } from "../typing/prompt-history.ts";
import { Picker } from "./picker.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "gantry-menus-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("the picker", () => {
  const choices = (labels: string[]) => labels.map((label) => ({ label, detail: "of it", pick: () => {} }));

  it("filters by terms in any order and does not wrap around", () => {
    const picker = new Picker("Which", choices(["openai/gpt", "anthropic/claude opus", "anthropic/claude haiku"]));
    picker.type("claude anth");
    picker.move(5);
    expect(picker.chosen?.label).toBe("anthropic/claude haiku");
    picker.type(" nobody");
    expect([picker.chosen, picker.rows(40)]).toEqual([undefined, []]);
    picker.move(-1);
    picker.erase(true);
    expect(picker.chosen?.label).toBe("openai/gpt");
  });

  it("never exceeds the terminal width and always shows the selected row", () => {
    const unit = fc.constantFrom("a", "bc", " ", "世", "👍", "\n", "\t");
    const labels = fc.array(fc.string({ unit }), { minLength: 1 });
    fc.assert(
      fc.property(labels, fc.integer({ min: 20, max: 200 }), fc.nat(100), (given, width, down) => {
        const picker = new Picker("Which", choices(given));
        picker.move(down);
        const rows = picker.rows(width);
        expect(rows.every(({ text }) => cellsOf(text) <= width && !text.includes("\n"))).toBe(true);
        expect(rows.filter(({ chosen }) => chosen)).toHaveLength(1);
      }),
    );
  });
});

describe("word wrap", () => {
  it("breaks between words and loses no text", () => {
    expect(wordRows("one two three", 8)).toEqual(["one two", "three"]);
    expect(wordRows("- abcdefghij", 4)).toEqual(["-", "abcd", "efgh", "ij"]);
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "世", "\n") });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (given, width) => {
        const rows = wordRows(given, width);
        expect(rows.join("").replace(/\s/g, "")).toBe(given.replace(/\s/g, ""));
        for (const row of rows) expect(cellsOf(row.trimEnd())).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("the prompt history", () => {
  it("is stored across sessions, readable only by its owner, and survives an invalid file", () => {
    const file = join(folder(), "agent/history.jsonl");
    const first = openPromptHistory(file);
    for (const text of ["one", "two\nlines", "two\nlines", "  "]) first.add(text);
    expect(openPromptHistory(file).texts).toEqual(["one", "two\nlines"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'nonsense\n7\n"good"\n');
    expect(openPromptHistory(file).texts).toEqual(["good"]);
    writeFileSync(file, Array.from({ length: 2500 }, (_, at) => `"${at}"\n`).join(""));
    expect(openPromptHistory(file).texts).toHaveLength(1000);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(1001);
    openPromptHistory(join(file, "below/a-file")).add("x");
  });

  it("is recalled with the arrow keys after the lines of the current text", () => {
    const editor = new Editor(["earlier"]);
    editor.insert("first\nsecond");
    editor.act("tui.editor.cursorUp");
    expect([editor.cursor, editor.line]).toEqual([5, "first"]);
    editor.act("tui.editor.cursorUp");
    expect(editor.text).toBe("earlier");
    editor.act("tui.editor.cursorDown");
    expect(editor.text).toBe("first\nsecond");
  });
});

describe("the external editor", () => {
  it("gets the text and returns the edited text", async () => {
    const env = { PATH: process.env.PATH, EDITOR: "sed -i s/draft/text/" };
    expect(await editInExternalEditor("a draft", env)).toBe("a text");
    await expect(editInExternalEditor("a draft", { ...env, VISUAL: "false" })).rejects.toThrow("exited with 1");
    await expect(editInExternalEditor("a draft", {})).rejects.toThrow("Set EDITOR");
  });
});

describe("Markdown", () => {
  it("keeps all text and leaves code unchanged", () => {
    const lines = new MarkdownLines();
    const paint = (style: unknown, text: string) => `<${style}>${text}</>`;
    const shown = ["# Head", "- **bold** and `code`", "```ts", "const a = `b`", "```", "2 * 3 ** 4"].map((line) =>
      lines.line(line, paint),
    );
    expect(shown).toEqual([
      "<bold># Head</>",
      "<cyan>-</> <bold>**bold**</> and <cyan>`code`</>",
      "<dim>```ts</>",
      "<cyan>const a = `b`</>",
      "<dim>```</>",
      "2 * 3 ** 4",
    ]);
    fc.assert(
      fc.property(fc.array(fc.string()), (given) => {
        const all = new MarkdownLines();
        for (const line of given) expect(all.line(line, (_, text) => text)).toBe(line);
      }),
    );
  });
});

describe("the keybindings file", () => {
  it("accepts old names and actions of other programs", () => {
    const file = join(folder(), "keybindings.json");
    writeFileSync(file, '{"cycleModelForward": "Ctrl+Y", "app.stt.toggle": [], "app.nonsense": "x"}');
    const bindings = readBindings(file);
    expect(bindings.actionOf("ctrl+y")).toBe("app.model.cycleForward");
    expect(bindings.problems).toEqual([expect.stringContaining("app.nonsense")]);
  });
});
