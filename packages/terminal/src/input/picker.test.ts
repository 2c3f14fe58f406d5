import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../text/width.ts";
import { Picker } from "./picker.ts";

describe("the picker", () => {
  const choices = (labels: string[]) => labels.map((label) => ({ label, detail: "of it", pick: () => {} }));

  it("filters by terms in any order and does not wrap around", () => {
    const picker = new Picker("Which", choices(["openai/gpt", "anthropic/claude opus", "anthropic/claude haiku"]));
    picker.type("claude anth");
    picker.move(5);
    expect(picker.chosen?.label).toBe("anthropic/claude haiku");
    picker.type(" absent");
    expect([picker.chosen, picker.rows(40)]).toEqual([undefined, []]);
    picker.move(-1);
    picker.erase(true);
    expect(picker.chosen?.label).toBe("openai/gpt");
  });

  it("never exceeds the terminal width and always shows the selected row", () => {
    const unit = fc.constantFrom("a", "bc", " ", "世", "👍", "\n", "\t");
    const labels = fc.array(fc.string({ unit }), { minLength: 1 });
    fc.assert(
      fc.property(labels, fc.integer({ min: 20, max: 200 }), fc.nat(100), (texts, width, down) => {
        const picker = new Picker("Which", choices(texts));
        picker.move(down);
        const rows = picker.rows(width);
        expect(rows.every(({ text }) => textWidth(text) <= width && !text.includes("\n"))).toBe(true);
        expect(rows.filter(({ chosen }) => chosen)).toHaveLength(1);
      }),
    );
  });
});
