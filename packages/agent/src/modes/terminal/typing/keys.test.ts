import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readBindings } from "./bindings.ts";
import { commonStart, completionsOf } from "./complete.ts";
import { Editor } from "./editor.ts";
import { KeyReader, normalizeChord } from "./keys.ts";

describe("keys", () => {
  it.each<[string, string]>([
    ["\r", "enter"],
    ["\x1b\r", "alt+enter"],
    ["\x1b[13;5u", "ctrl+enter"],
    ["\x1b[13;2u", "shift+enter"],
    ["\x1b", "esc"],
    ["\x1b[A", "up"],
    ["\x1b[1;3A", "alt+up"],
    ["\x1bOA", "up"],
    ["\x1b[Z", "shift+tab"],
    ["\x03", "ctrl+c"],
    ["\x7f", "backspace"],
    ["\x1bb", "alt+b"],
    ["\x1b[3~", "delete"],
  ])("%j is %s", (input, chord) => {
    expect(new KeyReader().read(input)).toEqual([{ chord }]);
  });

  it("read a paste as one text, however it is chunked", () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 14 }), (at) => {
        const input = "\x1b[200~one\r\ntwo\x1b[201~x";
        const reader = new KeyReader();
        const keys = [...reader.read(input.slice(0, at)), ...reader.read(input.slice(at))];
        expect(keys).toEqual([{ text: "one\ntwo" }, { text: "x" }]);
      }),
    );
  });

  it("survive any byte sequence", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (input) => Array.isArray(new KeyReader().read(input))));
  });

  it("have one normal form", () => {
    expect(normalizeChord("Shift+Ctrl+P")).toBe("ctrl+shift+p");
    expect(normalizeChord("Escape")).toBe("esc");
  });
});

describe("keybindings.json", () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-keys-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "keybindings.json");

  it("binds, unbinds, and reports invalid entries", () => {
    const chosen = { "app.interrupt": "Ctrl+X", "app.exit": [], "app.nonsense": "Alt+H", "app.clear": 5 };
    writeFileSync(file, JSON.stringify(chosen));
    const bindings = readBindings(file);
    expect(bindings.actionOf("ctrl+x")).toBe("app.interrupt");
    expect(bindings.actionOf("esc")).toBeUndefined();
    expect(bindings.actionOf("ctrl+d")).toBeUndefined();
    expect(bindings.actionOf("ctrl+c")).toBe("app.clear");
    expect(bindings.problems).toHaveLength(2);
  });

  it.each(["{", "[]", "7"])("is left alone when it is %s", (text) => {
    writeFileSync(file, text);
    const bindings = readBindings(file);
    expect(bindings.problems).toHaveLength(1);
    expect(bindings.actionOf("esc")).toBe("app.interrupt");
  });
});

describe("the editor", () => {
  it("deletes whole grapheme clusters", () => {
    const editor = new Editor();
    editor.insert("a👩‍👩‍👧b");
    editor.act("tui.editor.cursorLeft");
    editor.act("tui.editor.deleteCharBackward");
    expect([editor.text, editor.cursor]).toEqual(["ab", 1]);
  });

  it("recalls sent prompts and then the draft", () => {
    const editor = new Editor();
    editor.insert("first");
    editor.submit();
    editor.insert("draft");
    editor.act("tui.editor.cursorUp");
    expect(editor.text).toBe("first");
    editor.act("tui.editor.cursorDown");
    expect(editor.text).toBe("draft");
  });

  it("keeps the cursor inside the text for any key sequence", () => {
    const actions = ["cursorLeft", "cursorRight", "cursorWordLeft", "cursorWordRight", "cursorLineStart", "cursorUp"];
    const deletes = ["deleteCharBackward", "deleteCharForward", "deleteWordBackward", "deleteToLineStart"];
    const key = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...actions, ...deletes));
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        const editor = new Editor();
        for (const each of keys) {
          if ([...actions, ...deletes].includes(each)) editor.act(`tui.editor.${each}` as "tui.editor.cursorUp");
          else editor.insert(each);
          expect(editor.cursor).toBeGreaterThanOrEqual(0);
          expect(editor.cursor).toBeLessThanOrEqual(editor.text.length);
        }
      }),
    );
  });
});

describe("completion", () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-complete-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("completes files after @ and commands at the start", () => {
    writeFileSync(join(folder, "alpha.ts"), "");
    writeFileSync(join(folder, "alphabet.ts"), "");
    writeFileSync(join(folder, ".hidden"), "");
    const { from, candidates } = completionsOf("look at @al", folder, []);
    expect(candidates).toEqual(["@alpha.ts", "@alphabet.ts"]);
    expect(from).toBe(8);
    expect(commonStart(candidates)).toBe("@alpha");
    expect(completionsOf("@nowhere/x", folder, []).candidates).toEqual([]);
    expect(completionsOf("/mo", folder, ["model", "mode", "new"]).candidates).toEqual(["/model ", "/mode "]);
  });
});
