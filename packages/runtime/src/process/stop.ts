import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "@gantry/models/backoff";
import { groupAlive, isAlive, members } from "./identity.ts";
import type { Launched } from "./launcher.ts";

export type StopTarget = Pick<Launched, "id" | "pid" | "pgid" | "startedAt">;

export type StopStep = "protocol" | "SIGTERM" | "SIGKILL" | "strays";

export type StopOptions = {
  /**
   * Asks the agent to end in its own way. Without it the stop begins with SIGTERM. Where it gives a promise, that is of
   * the agent's answer: one that has answered and still runs waits for a signal, and gets it at once.
   */
  protocolStop?: () => void | Promise<void>;
  /** How long the agent has after the protocol's stop, and again after SIGTERM. */
  graceMs?: number;
  /** How long the system has after SIGKILL. */
  killMs?: number;
  onStep?: (step: StopStep) => void;
};

/**
 * exited: it went by itself or on the protocol's word. terminated: SIGTERM was needed. killed: SIGKILL was.
 * `strays` are its descendants that were still there after it and were killed.
 */
export type Stopped = { how: "exited" | "terminated" | "killed"; strays: number };

/**
 * Ends an agent and everything it started, by ever stronger means. Resolves when nothing of it runs any more, or when
 * `killMs` have passed after SIGKILL. Signals go only to what is known by start time or marker to be the target's.
 */
export async function stop(target: StopTarget, options: StopOptions = {}): Promise<Stopped> {
  const { graceMs = 3000, killMs = 3000, protocolStop, onStep = () => {} } = options;
  const groupIsOurs = isAlive(target);
  const how = groupIsOurs ? await endLeader(target, { graceMs, killMs, protocolStop, onStep }) : "exited";
  return { how, strays: await reap(target, { killMs, onStep, groupIsOurs }) };
}

type Steps = Required<Pick<StopOptions, "graceMs" | "killMs" | "onStep">> & Pick<StopOptions, "protocolStop">;

async function endLeader(
  target: StopTarget,
  { graceMs, killMs, protocolStop, onStep }: Steps,
): Promise<Stopped["how"]> {
  if (protocolStop) {
    onStep("protocol");
    if (await goneOrReady(target, graceMs, protocolStop())) return "exited";
  }
  onStep("SIGTERM");
  signal(-target.pgid, "SIGTERM");
  if (await gone(target, graceMs)) return "terminated";
  onStep("SIGKILL");
  signal(-target.pgid, "SIGKILL");
  await until(() => !groupAlive(target.pgid), killMs);
  return "killed";
}

/**
 * Kills what is left of a process that has ended: those that carry its marker and, while the group's number is known
 * not to have gone to someone else (`groupIsOurs`), the members of its group. Returns how many.
 */
export async function reap(
  target: Pick<StopTarget, "id" | "pgid">,
  options: Pick<StopOptions, "killMs" | "onStep"> & { groupIsOurs?: boolean } = {},
): Promise<number> {
  const { killMs = 3000, onStep = () => {}, groupIsOurs = false } = options;
  const left = () => members(target.pgid, target.id).filter((one) => groupIsOurs || one.marker === target.id);
  const killed = new Set<number>();
  const deadline = Date.now() + killMs;
  // Again until none is left: one may have forked while another was being killed.
  for (let found = left(); found.length > 0; found = left()) {
    if (killed.size === 0) onStep("strays");
    for (const { pid } of found) {
      signal(pid, "SIGKILL");
      killed.add(pid);
    }
    if (Date.now() > deadline) break;
    await sleep(10);
  }
  return killed.size;
}

/** Waits for the end, or for the answer without which it would not come. `true`: it has ended. */
async function goneOrReady(target: StopTarget, withinMs: number, answer: void | Promise<void>): Promise<boolean> {
  let answered = false;
  void answer?.then(() => {
    answered = true;
  });
  await until(() => answered || !isAlive(target), withinMs);
  return !isAlive(target);
}

function gone(target: StopTarget, withinMs: number): Promise<boolean> {
  return until(() => !isAlive(target), withinMs);
}

async function until(condition: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (let attempt = 1; !condition(); attempt++) {
    const left = deadline - Date.now();
    if (left <= 0) return false;
    await sleep(Math.min(backoffMs(attempt, { firstMs: 5, maxMs: 100 }), left));
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // ESRCH: it ended meanwhile. EPERM: it is no longer ours to signal.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
