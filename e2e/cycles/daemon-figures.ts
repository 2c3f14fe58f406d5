import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What the daemon has open, by what it is: a path, `socket`, `pipe` and the like. */
export function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/:\[\d+\]$/, "")];
    } catch {
      return []; // Closed in between.
    }
  });
}

/** Memory in use by a process, in megabytes. */
export function residentMb(pid: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** What is in `after` and was not in `before`, as often as it is. */
export function additional(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  return after.filter((name) => {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
