import { afterEach, beforeEach, expect } from "vitest";
import type { Bench } from "../harness/bench.ts";
import { openBench } from "../harness/open-bench.ts";
import { gantryTargets } from "../targets/gantry.ts";
import { Drive } from "./drive.ts";

/** The arguments of `gantry acp` for the scripted agent. */
export const scripted = { args: ["--agent", "scripted", "--mode", "ask"] };

/** A bench and a drive for each test of a file. Every frame of every editor must be valid. */
export function useDrive(): { bench: () => Bench; drive: () => Drive } {
  let bench: Bench | undefined;
  let drive: Drive | undefined;
  beforeEach(async () => {
    const [target] = gantryTargets;
    if (!target) throw new Error("there is no target");
    bench = await openBench(target);
    drive = new Drive(bench, 1);
  });
  afterEach(async () => expect(await drive?.close()).toEqual([]));
  return { bench: () => bench as Bench, drive: () => drive as Drive };
}
