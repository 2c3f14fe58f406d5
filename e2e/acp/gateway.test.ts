import { expect, test } from "vitest";
import { openBench } from "../harness/open-bench.ts";
import { gantryTargets } from "../targets/gantry.ts";
import { Drive } from "./drive.ts";

test.each([1, 2] as const)(
  "drives the own agent over version %i, with the daemon killed twice, and loads the same conversation",
  async (version) => {
    const [target] = gantryTargets;
    if (!target) throw new Error("there is no target");
    const drive = new Drive(await openBench(target), version);
    try {
      expect(await drive.all()).toBeGreaterThan(50);
    } finally {
      expect(await drive.close()).toEqual([]);
    }
  },
);
