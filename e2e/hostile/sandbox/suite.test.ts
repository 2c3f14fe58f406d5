import { expect, it } from "vitest";
import type { Outcome } from "../attack.ts";
import { PROBES } from "./probes/all.ts";
import { sandboxSuite } from "./suite.ts";

/** Two minutes on a machine that has nothing else to do. */
const PATIENCE_MS = 600_000;

it("has enough probes, each with its own name", () => {
  expect(PROBES.length).toBeGreaterThanOrEqual(120);
  expect(new Set(PROBES.map((probe) => `${probe.class}: ${probe.name}`)).size).toBe(PROBES.length);
});

it(
  "lets no probe out of the sandbox",
  async () => {
    const { attacks, close } = await sandboxSuite.open();
    try {
      const outcomes = await Promise.all(attacks.map(async (attack) => [attack, await attack.run()] as const));
      const escaped = outcomes.filter(([, outcome]) => "held" in outcome && !outcome.held);
      expect(escaped.map(([{ class: group, name }, outcome]) => `${group}: ${name}: ${effectOf(outcome)}`)).toEqual([]);
    } finally {
      await close();
    }
  },
  PATIENCE_MS,
);

function effectOf(outcome: Outcome): string {
  return "held" in outcome && !outcome.held ? outcome.effect : "";
}
