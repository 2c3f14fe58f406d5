import { expect, it } from "vitest";
import { isModeAbove, ladder, nearestMode, substituteMode } from "./ladder.ts";

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

it("substitutes the strictest mode for one that has nothing at or below it, but never full-auto", () => {
  expect(substituteMode("plan", ["ask", "full-auto", "inherit"])).toBe("ask");
  expect(substituteMode("ask", ["auto-edit", "full-auto", "inherit"])).toBe("auto-edit");
  expect(substituteMode("ask", ["full-auto", "inherit"])).toBe("inherit");
  expect(substituteMode("full-auto", ["plan", "ask"])).toBe("ask");
  expect([substituteMode("plan", ["inherit"]), substituteMode("inherit", ladder)]).toEqual(["inherit", "inherit"]);
});

it("takes a mode as above another one only if both promise something", () => {
  expect([isModeAbove("ask", "plan"), isModeAbove("plan", "ask"), isModeAbove("ask", "ask")]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isModeAbove("inherit", "plan"), isModeAbove("full-auto", "inherit")]).toEqual([false, false]);
});
