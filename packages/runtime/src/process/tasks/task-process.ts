import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Task } from "@gantry/protocol";
import { groupAlive, listProcesses, type Running, startToken } from "../identity.ts";
import type { StopTarget } from "../stop.ts";

/** The agent that runs a task. */
type Agent = Pick<StopTarget, "id" | "pgid">;

/** Deeper chains of processes do not occur; a cycle in the list must not hang the daemon. */
const DEEPEST = 100;

/**
 * A process with this number belongs to the agent: a number from its output proves nothing. A process without the marker
 * cleared its environment, or runs as another user; it is recognised by a process above it.
 */
export function isTaskProcessAlive(pid: number, agent: Agent, among: readonly Running[]): boolean {
  const find = (number: number) => among.find((one) => one.pid === number);
  let one = find(pid);
  for (let depth = 0; one && depth < DEEPEST; depth++, one = find(one.parent)) if (one.marker === agent.id) return true;
  return false;
}

/**
 * The process of a background command: the one that the agent named, or the only process group of the agent that runs the
 * command. `undefined` if there is none, or more than one, or if it shares the group of the agent itself.
 */
export function findTaskProcess(
  { pid, command }: Pick<Task, "pid" | "command">,
  agent: Agent,
  among: readonly Running[] = listProcesses(),
): Running | undefined {
  const isLeader = (one: Running) => one.pid === one.pgid && one.pgid !== agent.pgid;
  const leaders = among.filter((one) => one.marker === agent.id && isLeader(one));
  if (pid !== undefined) return leaders.find((one) => one.pid === pid);
  // A long command is shortened.
  const wanted = squash((command ?? "").replace(/…$/, ""));
  if (wanted.length < SHORTEST) return undefined;
  const found = leaders.filter((one) => squash(commandLine(one.pid)).includes(wanted));
  return found.length === 1 ? found[0] : undefined;
}

/** Ends a process group, first with SIGTERM. Resolves with whether it has ended. */
export async function endGroup({ pid, pgid, startedAt }: Running, graceMs: number): Promise<boolean> {
  if (startToken(pid) !== startedAt) return true;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    try {
      process.kill(-pgid, signal);
    } catch {
      // The group has ended.
    }
    for (let waited = 0; waited < graceMs; waited += 50) {
      if (!groupAlive(pgid)) return true;
      await sleep(50);
    }
  }
  return !groupAlive(pgid);
}

const SHORTEST = 6;

/** Shells quote the command that they run, each in its own way. */
function squash(text: string): string {
  return text.replace(/[\s\\'"]+/g, "");
}

/** Empty where the system does not show it. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
