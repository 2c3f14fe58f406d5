import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../harness/seeded-random.ts";
import type { FaultCase } from "./cases.ts";
import { FaultDaemon } from "./fault-daemon.ts";
import { HealthMonitor } from "./health.ts";
import { type CaseResult, RunningCase } from "./run-case.ts";

/** A request for `/v1/health` that waits longer for the daemon's own work met a freeze. */
const FREEZE_MS = 250;
const TRIES = 2;
/** The daemon is killed at a random time in this range after the sessions were created: in the handshake, in the turn, after it. */
const KILL_MS = { first: 100, last: 2500 };

export type RunOptions = {
  /** Kill the daemon with SIGKILL while the faults are at work. */
  kill: boolean;
  /** Decides when the daemon is killed. */
  seed?: number;
  /** Cases that run at the same time. */
  parallel?: number;
  onResult?: (result: CaseResult) => void;
};

/** Runs cases against one daemon and returns their results in order. */
export async function runCases(cases: readonly FaultCase[], options: RunOptions): Promise<CaseResult[]> {
  const daemon = new FaultDaemon();
  try {
    await daemon.start();
    const results: CaseResult[] = [];
    const random = seededRandom(options.seed ?? 1);
    for (const batch of batches(cases, options.parallel ?? 6)) {
      for (const result of await runBatch(daemon, batch, options.kill ? random : undefined)) {
        results.push(result);
        options.onResult?.(result);
      }
    }
    return results;
  } finally {
    await daemon.dispose();
  }
}

function batches(cases: readonly FaultCase[], size: number): FaultCase[][] {
  const light = cases.filter(({ heavy }) => !heavy);
  const groups = cases.filter(({ heavy }) => heavy).map((one) => [one]);
  for (let at = 0; at < light.length; at += size) groups.push(light.slice(at, at + size));
  return groups;
}

/** A freeze counts if it returns: garbage collection after another batch may fall into the first try. */
async function runBatch(
  daemon: FaultDaemon,
  batch: readonly FaultCase[],
  random?: () => number,
): Promise<CaseResult[]> {
  for (let attempt = 1; ; attempt++) {
    const { results, longestMs } = await runOnce(daemon, batch, random);
    if (longestMs <= FREEZE_MS) return results;
    const health = `${Math.round(longestMs)} ms`;
    if (attempt === TRIES) return results.map((result) => ({ ...result, broken: { ...result.broken, health } }));
  }
}

async function runOnce(daemon: FaultDaemon, batch: readonly FaultCase[], random?: () => number) {
  let monitor = new HealthMonitor(daemon.url, daemon.pid);
  const running = batch.map((one) => new RunningCase(daemon, one));
  await Promise.all(running.map((one) => one.start()));
  let longestMs = 0;
  if (random) {
    await sleep(KILL_MS.first + random() * (KILL_MS.last - KILL_MS.first));
    longestMs = await monitor.stop();
    await daemon.restart();
    monitor = new HealthMonitor(daemon.url, daemon.pid);
  }
  const results = await Promise.all(running.map((one) => one.finish()));
  return { results, longestMs: Math.max(longestMs, await monitor.stop()) };
}
