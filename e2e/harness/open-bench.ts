import { afterEach, expect } from "vitest";
import type { Target } from "../targets/target.ts";
import { Bench } from "./bench.ts";
import type { Setting } from "./setting.ts";

const open: Bench[] = [];

/** Opens a bench that is closed after the test. The test fails if a process still runs then. */
export async function openBench(target: Target, setting: Setting = {}): Promise<Bench> {
  const bench = await Bench.open(target, setting);
  open.push(bench);
  return bench;
}

afterEach(async () => {
  for (const bench of open.splice(0)) expect(await bench.close()).toEqual([]);
});
