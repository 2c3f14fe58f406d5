import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The same processes still run, and no other was started; one that only asked the agent for its version may be gone. */
export function assertSame(now: readonly number[], before: readonly number[], message: string): void {
  assert.ok(now.length > 0 && now.every((pid) => before.includes(pid)), `${message}: ${before} before, now ${now}`);
}

export type Process = { pid: number; program: string; command: string };

/** Every living process that was started with this folder as its `HOME`, and so all that a bench ever started. */
export function processesOf(home: string): Process[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => describe(pid, `HOME=${home}`));
}

/** A process may be gone between two reads, and a zombie has no environment: both count as ended. */
/** Where a process works; nothing when it has ended. */
export function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

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
