import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyReader, normalizeChord } from "./keys.ts";

describe("the key reader", () => {
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

  it("reads a paste as one text, however it is chunked", () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 14 }), (at) => {
        const input = "\x1b[200~one\r\ntwo\x1b[201~x";
        const reader = new KeyReader();
        const keys = [...reader.read(input.slice(0, at)), ...reader.read(input.slice(at))];
        expect(keys).toEqual([{ text: "one\ntwo" }, { text: "x" }]);
      }),
    );
  });

  it("survives any byte sequence", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (input) => Array.isArray(new KeyReader().read(input))));
  });

  it("normalizes chords", () => {
    expect(normalizeChord("Shift+Ctrl+P")).toBe("ctrl+shift+p");
    expect(normalizeChord("Escape")).toBe("esc");
  });
});
