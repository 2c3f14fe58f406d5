import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EditBuffer } from "./edit-buffer.ts";

describe("the edit buffer", () => {
  it("deletes whole grapheme clusters", () => {
    const editor = new EditBuffer();
    editor.insert("a👩‍👩‍👧b");
    editor.act("tui.editor.cursorLeft");
    editor.act("tui.editor.deleteCharBackward");
    expect([editor.text, editor.cursor]).toEqual(["ab", 1]);
  });

  it("recalls sent prompts and then the draft", () => {
    const editor = new EditBuffer();
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
        const editor = new EditBuffer();
        for (const each of keys) {
          if ([...actions, ...deletes].includes(each)) editor.act(`tui.editor.${each}` as "tui.editor.cursorUp");
          else editor.insert(each);
          expect(editor.cursor).toBeGreaterThanOrEqual(0);
          expect(editor.cursor).toBeLessThanOrEqual(editor.text.length);
        }
      }),
    );
  });

  it("recalls earlier prompts with the arrow keys after the lines of the current text", () => {
    const editor = new EditBuffer(["earlier"]);
    editor.insert("first\nsecond");
    editor.act("tui.editor.cursorUp");
    expect([editor.cursor, editor.line]).toEqual([5, "first"]);
    editor.act("tui.editor.cursorUp");
    expect(editor.text).toBe("earlier");
    editor.act("tui.editor.cursorDown");
    expect(editor.text).toBe("first\nsecond");
  });
});
