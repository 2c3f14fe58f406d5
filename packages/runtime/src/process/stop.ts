import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "@gantry/models/backoff";
import { readDescendants } from "./descendants/descendants.ts";
import {
  descendantsOf,
  groupAlive,
  type Identity,
  isAlive,
  type Launched,
  listProcessesSoon,
  members,
} from "./identity.ts";

/** `dir` has the recorded descendants of an agent. */
export type StopTarget = Pick<Launched, "id" | "pid" | "pgid" | "startedAt"> & { dir?: string };

export type StopStep = "protocol" | "SIGTERM" | "SIGKILL" | "strays";

export type StopOptions = {
  /**
   * Asks the agent to end through its protocol. Without it the stop starts with SIGTERM. A returned promise resolves
   * with the agent's answer: an agent that answered and still runs gets the signal immediately.
   */
  protocolStop?: () => void | Promise<void>;
  /** How long the agent has after the protocol's stop, and again after SIGTERM. */
  graceMs?: number;
  /** How long the system has after SIGKILL. */
  killMs?: number;
  onStep?: (step: StopStep) => void;
};

/**
 * exited: it ended on its own or after the protocol's stop. terminated: SIGTERM was needed. killed: SIGKILL was.
 * `strays` are its descendants that outlived it and were killed.
 */
export type Stopped = { how: "exited" | "terminated" | "killed"; strays: number };

/**
 * Ends an agent and its descendants, escalating the signals. Resolves when none of them runs any more, or when
 * `killMs` have passed after SIGKILL. Signals only processes whose start time or marker belongs to the target.
 */
export async function stop(target: StopTarget, options: StopOptions = {}): Promise<Stopped> {
  const { graceMs = 3000, killMs = 3000, protocolStop, onStep = () => {} } = options;
  const groupIsOurs = isAlive(target);
  // Before the first signal: an orphan no longer names its parent.
  const descendants = groupIsOurs ? descendantsOf(target.pid) : [];
  const how = groupIsOurs ? await endLeader(target, { graceMs, killMs, protocolStop, onStep }, descendants) : "exited";
  return { how, strays: await reap(target, { killMs, onStep, groupIsOurs, descendants }) };
}

type Steps = Required<Pick<StopOptions, "graceMs" | "killMs" | "onStep">> & Pick<StopOptions, "protocolStop">;

/** Adds descendants that started meanwhile to the list, before it kills the shell that adopts them. */
async function endLeader(
  target: StopTarget,
  { graceMs, killMs, protocolStop, onStep }: Steps,
  descendants: Identity[],
): Promise<Stopped["how"]> {
  if (protocolStop) {
    onStep("protocol");
    if (await goneOrReady(target, graceMs, protocolStop())) return "exited";
  }
  onStep("SIGTERM");
  signal(-target.pgid, "SIGTERM");
  if (await waitForExit(target, graceMs)) return "terminated";
  onStep("SIGKILL");
  descendants.push(...descendantsOf(target.pid));
  signal(-target.pgid, "SIGKILL");
  await waitUntil(() => !groupAlive(target.pgid), killMs);
  return "killed";
}

/**
 * Kills the orphans of an ended process: those with its marker, the `descendants` that were seen while it ran, those that
 * were recorded and, while the group id is known not to be reused (`groupIsOurs`), the members of its group. Returns how
 * many.
 */
export async function reap(
  target: Pick<StopTarget, "id" | "pgid" | "dir">,
  options: Pick<StopOptions, "killMs" | "onStep"> & { groupIsOurs?: boolean; descendants?: readonly Identity[] } = {},
): Promise<number> {
  const { killMs = 3000, onStep = () => {}, groupIsOurs = false, descendants = [] } = options;
  const listRemaining = async () => {
    const all = members(target.pgid, target.id, await listProcessesSoon());
    const marked = all.filter((one) => groupIsOurs || one.marker === target.id);
    const known = [...descendants, ...(target.dir ? readDescendants(target.dir) : [])];
    const seen = known.filter((one) => isAlive(one)).flatMap((one) => [one, ...descendantsOf(one.pid)]);
    return [...marked, ...seen];
  };
  const killed = new Set<number>();
  const deadline = performance.now() + killMs;
  // Again until none is left: one may have forked while another was being killed.
  for (let found = await listRemaining(); found.length > 0; found = await listRemaining()) {
    if (killed.size === 0) onStep("strays");
    for (const { pid } of found) {
      signal(pid, "SIGKILL");
      killed.add(pid);
    }
    if (performance.now() > deadline) break;
    await sleep(10);
  }
  return killed.size;
}

/** Waits for the end of the process or for its answer to the protocol's stop. `true`: it has ended. */
async function goneOrReady(target: StopTarget, withinMs: number, answer: void | Promise<void>): Promise<boolean> {
  let answered = false;
  void answer?.then(() => {
    answered = true;
  });
  await waitUntil(() => answered || !isAlive(target), withinMs);
  return !isAlive(target);
}

function waitForExit(target: StopTarget, withinMs: number): Promise<boolean> {
  return waitUntil(() => !isAlive(target), withinMs);
}

async function waitUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let attempt = 1; !condition(); attempt++) {
    const left = deadline - performance.now();
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
