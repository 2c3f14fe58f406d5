import { expect, it } from "vitest";
import { ladder, nearestMode } from "./ladder.ts";

it("takes the wanted rung where there is one", () => {
  for (const mode of [...ladder, "inherit"] as const) expect(nearestMode(mode, [...ladder, "inherit"])).toBe(mode);
});

it("goes down to the nearest lower rung and never up", () => {
  expect(nearestMode("full-auto", ["plan", "ask"])).toBe("ask");
  expect(nearestMode("auto-edit", ["full-auto", "plan"])).toBe("plan");
  expect(nearestMode("ask", ["auto-edit", "full-auto"])).toBeUndefined();
  expect(nearestMode("plan", ["ask"])).toBeUndefined();
});

it("takes nothing in place of inherit, and inherit in place of nothing", () => {
  expect(nearestMode("inherit", ladder)).toBeUndefined();
  expect(nearestMode("ask", ["inherit"])).toBeUndefined();
});
