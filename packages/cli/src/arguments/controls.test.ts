import { expect, it } from "vitest";
import { controlChanges, controlValues, orUnset } from "./controls.ts";

it("reads controls, and takes one back with default", () => {
  const flags = { control: ["sandbox=read-only", "style=a=b", "approval=default"], fast: "on" } as const;
  expect(controlChanges(flags)).toEqual({ sandbox: "read-only", style: "a=b", approval: null, fast: "on" });
  expect(controlValues(flags)).toEqual({ sandbox: "read-only", style: "a=b", fast: "on" });
  expect(controlChanges({})).toBeUndefined();
  expect(controlValues({ control: ["sandbox=default"] })).toBeUndefined();
});

it("drops the configured default of a setting with default", () => {
  expect(["default", "opus", undefined].map(orUnset)).toEqual([null, "opus", undefined]);
});

it.each(["sandbox", "=x", "sandbox="])("refuses %s", (text) => {
  expect(() => controlChanges({ control: [text] })).toThrow("sets no control");
});
