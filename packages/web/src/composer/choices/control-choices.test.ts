import type { AgentRow, Control } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { controlChoices, withControl } from "./control-choices.ts";

const sandbox: Control = {
  id: "sandbox",
  label: "Sandbox",
  choices: [
    { id: "tight", label: "Tight" },
    { id: "none", label: "None" },
  ],
  byMode: { ask: "tight", "full-auto": "none" },
  live: true,
  maps: "sandbox",
};
const style: Control = { id: "style", label: "Style", choices: [], open: true, live: false, maps: "style" };
const set: AgentRow["controls"] = {
  items: [sandbox, style],
  rules: [{ when: { sandbox: ["tight"] }, needs: "plan" }],
};

describe("the choices of a native control", () => {
  it("show what the mode sets, and disable what needs a higher mode", () => {
    expect(controlChoices(set, sandbox, { mode: "ask", values: {} })).toEqual([
      { value: "", label: "Sandbox: Tight (default)" },
      { value: "tight", label: "Sandbox: Tight", hint: undefined, disabled: false },
      { value: "none", label: "Sandbox: None", hint: "needs full-auto", disabled: true },
    ]);
    const free = controlChoices(set, sandbox, { mode: "full-auto", values: {} });
    expect(free.every(({ disabled }) => !disabled)).toBe(true);
  });

  it("keep a chosen one that the mode withholds", () => {
    const [, , none] = controlChoices(set, sandbox, { mode: "ask", values: { sandbox: "none" } });
    expect(none).toMatchObject({ hint: "needs full-auto", disabled: false });
  });

  it("include the choices and the value that the agent reports", () => {
    const session = { controlChoices: { style: ["Plain", "Rich"] }, controlsApplied: { style: "Rich" } };
    expect(controlChoices(set, style, { mode: "ask", values: {}, session }).map(({ label }) => label)).toEqual([
      "Style: Rich (default)",
      "Style: Plain",
      "Style: Rich",
    ]);
  });

  it("replace one value and drop the last", () => {
    expect(withControl({ a: "1" }, "b", "2")).toEqual({ a: "1", b: "2" });
    expect(withControl({ a: "1" }, "a", undefined)).toBeUndefined();
  });
});
