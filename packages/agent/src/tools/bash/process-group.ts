import { readdirSync, readFileSync } from "node:fs";

/** Sends a signal to a process group. Does nothing if the group is empty. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // The group has no process.
  }
}

/**
 * Kills processes that left their group but still have the mark in their environment. Works only with /proc; on other
 * systems a process that leaves its group survives.
 */
export function endMarked(mark: string): void {
  for (const name of processes()) {
    try {
      if (!readFileSync(`/proc/${name}/environ`, "latin1").includes(mark)) continue;
      process.kill(Number(name), "SIGKILL");
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
}

function processes(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  } catch {
    return [];
  }
}
