import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../harness/seeded-random.ts";
import type { FaultCase } from "./fault-case.ts";
import { FaultDaemon } from "./fault-daemon.ts";
import { type HealthFigures, HealthMonitor, IdleServer, longest } from "./health.ts";
import { type CaseResult, RunningCase } from "./run-case.ts";

/** A request for `/v1/health` that waits longer for the daemon met a freeze. */
const FREEZE_MS = 250;
const TRIES = 2;
/** The daemon is killed at a random time in this range after the sessions were created. */
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

/** The daemon that the cases run against, and the server that it is compared with. */
type Setting = { daemon: FaultDaemon; idle: IdleServer };

/** Runs cases against one daemon. Returns their results in order, and the longest waits for `/v1/health`. */
export async function runCases(
  cases: readonly FaultCase[],
  options: RunOptions,
): Promise<{ results: CaseResult[]; health: HealthFigures }> {
  const setting = { daemon: new FaultDaemon(), idle: await IdleServer.start() };
  try {
    await setting.daemon.start();
    const results: CaseResult[] = [];
    let health: HealthFigures = { longestMs: 0, floorMs: 0 };
    const random = options.kill ? seededRandom(options.seed ?? 1) : undefined;
    for (const batch of batches(cases, options.parallel ?? 6)) {
      const done = await runBatch(setting, batch, random);
      health = longest(health, done.health);
      results.push(...done.results);
      for (const result of done.results) options.onResult?.(result);
    }
    return { results, health };
  } finally {
    setting.idle.stop();
    await setting.daemon.dispose();
  }
}

function batches(cases: readonly FaultCase[], size: number): FaultCase[][] {
  const light = cases.filter(({ heavy }) => !heavy);
  const groups = cases.filter(({ heavy }) => heavy).map((one) => [one]);
  for (let at = 0; at < light.length; at += size) groups.push(light.slice(at, at + size));
  return groups;
}

/** A freeze counts if it returns: garbage collection after another batch may fall into the first try. */
async function runBatch(setting: Setting, batch: readonly FaultCase[], random?: () => number) {
  for (let attempt = 1; ; attempt++) {
    const { results, health } = await runOnce(setting, batch, random);
    if (health.longestMs <= FREEZE_MS) return { results, health };
    const frozen = `${Math.round(health.longestMs)} ms`;
    if (attempt < TRIES) continue;
    return { results: results.map((one) => ({ ...one, broken: { ...one.broken, health: frozen } })), health };
  }
}

async function runOnce({ daemon, idle }: Setting, batch: readonly FaultCase[], random?: () => number) {
  let monitor = new HealthMonitor(daemon, idle);
  const running = batch.map((one) => new RunningCase(daemon, one));
  await Promise.all(running.map((one) => one.start()));
  let health: HealthFigures = { longestMs: 0, floorMs: 0 };
  if (random) {
    await sleep(KILL_MS.first + random() * (KILL_MS.last - KILL_MS.first));
    health = await monitor.stop();
    await daemon.restart();
    monitor = new HealthMonitor(daemon, idle);
  }
  const results = await Promise.all(running.map((one) => one.finish()));
  return { results, health: longest(health, await monitor.stop()) };
}
