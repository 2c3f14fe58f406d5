import fc from "fast-check";
import { expect, it } from "vitest";
import { isModeWithin, ladder, type ModeName } from "../modes/ladder.ts";
import { changeControls, formatControls, matchRules, permitControls, requiredMode } from "./rules.ts";
import type { Control, ControlSet } from "./schema.ts";

const item = (id: string, choices: string[], more: Partial<Control> = {}): Control => ({
  id,
  label: id,
  choices: choices.map((choice) => ({ id: choice, label: choice })),
  live: true,
  maps: id,
  ...more,
});

const set: ControlSet = {
  items: [
    item("speed", ["on", "off"]),
    item("reach", ["here", "there"], {
      byMode: { plan: "here", ask: "here", "auto-edit": "here", "full-auto": "there" },
    }),
    item("style", [], { open: true }),
    item("agent", ["x"], { modes: ["inherit"] }),
  ],
  rules: [{ when: { reach: ["here"] }, needs: "ask" }],
};

const modes = [...ladder, "inherit"] as ModeName[];

it("permits controls that do not concern permissions in every mode", () => {
  for (const mode of modes) {
    expect(permitControls(set, mode, { speed: "on", style: "Any name" })).toEqual({
      values: { speed: "on", style: "Any name" },
      withheld: [],
    });
  }
});

it("withholds what allows more than the mode, and unknown controls and choices", () => {
  expect(permitControls(set, "plan", { reach: "here" }).values).toEqual({});
  expect(permitControls(set, "ask", { reach: "here" }).values).toEqual({ reach: "here" });
  expect(permitControls(set, "auto-edit", { reach: "there", speed: "on" })).toMatchObject({
    values: { speed: "on" },
    withheld: [{ id: "reach", value: "there", reason: expect.stringContaining("full-auto") }],
  });
  expect(permitControls(set, "full-auto", { speed: "maybe", nothing: "x" }).withheld).toHaveLength(2);
  expect(permitControls(undefined, "full-auto", { speed: "on" }).withheld).toHaveLength(1);
  expect(permitControls(set, "ask", { agent: "x" }).values).toEqual({});
  expect(permitControls(set, "inherit", { agent: "x" }).values).toEqual({ agent: "x" });
});

it("never permits a combination that needs a higher mode, whatever is requested", () => {
  const ids = fc.constantFrom("speed", "reach", "style", "agent", "constructor", "__proto__");
  const requests = fc.dictionary(ids, fc.constantFrom("on", "here", "there", "x", "toString"));
  fc.assert(
    fc.property(fc.constantFrom(...modes), requests, (mode, requested) => {
      const { values, withheld } = permitControls(set, mode, requested);
      expect(Object.keys(values).length + withheld.length).toBe(Object.keys(requested).length);
      const needs = requiredMode(set, mode, values);
      if (needs) expect(isModeWithin(needs, mode)).toBe(true);
    }),
  );
});

it("counts a combination without a rule as the highest mode", () => {
  expect(matchRules(set, { reach: "elsewhere" })).toBe("full-auto");
  expect(matchRules(set, {})).toBe("full-auto");
});

it("removes a control with null", () => {
  expect(changeControls({ speed: "on", style: "a" }, { speed: null, reach: "here" })).toEqual({
    style: "a",
    reach: "here",
  });
  expect(changeControls(undefined, { speed: null })).toEqual({});
  expect(formatControls({ speed: "on", style: null })).toBe("speed=on, style=default");
});
