import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chosenText, filterOptions, moveIndex, type PickerOption } from "./options.ts";

const options: PickerOption[] = [
  { value: "", label: "Default (Opus)" },
  { value: "opus", label: "Opus 4.8" },
  { value: "haiku", label: "Haiku 4.5", about: "fast" },
  { value: "codex/gpt-5", label: "Codex › GPT-5", searchOnly: true },
];

describe("the options of a picker", () => {
  it("are in their own order without a query, without those that only a search finds", () => {
    expect(filterOptions(options, " ").map(({ value }) => value)).toEqual(["", "opus", "haiku"]);
  });

  it("are found by a few letters of the label, the value or the description", () => {
    expect(filterOptions(options, "hku").map(({ value }) => value)).toEqual(["haiku"]);
    expect(filterOptions(options, "fast").map(({ value }) => value)).toEqual(["haiku"]);
    expect(filterOptions(options, "gpt5")[0]?.value).toBe("codex/gpt-5");
    expect(filterOptions(options, "zzz")).toEqual([]);
  });

  it("show the text of the chosen one, and a value that is not listed unchanged", () => {
    expect(chosenText({ value: "opus", options })).toBe("Opus 4.8");
    expect(chosenText({ value: "odd", options })).toBe("odd");
    expect(chosenText({ value: "a", options: [{ value: "a", label: "A", hint: "runs as ask" }] })).toBe(
      "A · runs as ask",
    );
  });

  it("never lead a key outside of the list", () => {
    const keys = fc.constantFrom("ArrowDown", "ArrowUp", "PageDown", "PageUp");
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 300 }), fc.nat(299), (key, count, start) => {
        const to = moveIndex(key, start % count, count) ?? -1;
        return to >= 0 && to < count;
      }),
    );
    expect(moveIndex("ArrowDown", 0, 0)).toBeUndefined();
    expect(moveIndex("a", 0, 3)).toBeUndefined();
  });
});
