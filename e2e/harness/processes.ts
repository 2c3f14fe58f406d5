import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Asserts that no new process was started and one still runs. A version probe of the agent may have ended. */
export function assertSame(now: readonly number[], before: readonly number[], message: string): void {
  assert.ok(now.length > 0 && now.every((pid) => before.includes(pid)), `${message}: ${before} before, now ${now}`);
}

export type Process = { pid: number; program: string; command: string };

/** Every running process that was started with this folder as its `HOME`: all processes of a bench. */
export function processesOf(home: string): Process[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => describe(pid, `HOME=${home}`));
}

/** The working directory of a process; `undefined` if it has ended. */
export function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** A process may end between two reads, and a zombie has no environment: both count as ended. */
function describe(pid: string, mark: string): Process[] {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    if (!environment.includes(mark)) return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
    return [{ pid: Number(pid), program: readlinkSync(`/proc/${pid}/exe`), command }];
  } catch {
    return [];
  }
}
