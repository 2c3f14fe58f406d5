import { readdirSync, readFileSync } from "node:fs";

/** Sends to a group; quiet when nobody is left in it. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left.
  }
}

/**
 * Ends those that left their group but still carry the mark that they were started with in their environment. Only
 * where there is /proc: elsewhere a process that leaves its group stays.
 */
export function endMarked(mark: string): void {
  for (const name of processes()) {
    try {
      if (!readFileSync(`/proc/${name}/environ`, "latin1").includes(mark)) continue;
      process.kill(Number(name), "SIGKILL");
    } catch {
      // Gone, or another user's.
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
