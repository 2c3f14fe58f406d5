import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The open files of a process: paths, or kinds such as `socket` and `pipe`. */
export function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/:\[\d+\]$/, "")];
    } catch {
      return []; // Closed between the two reads.
    }
  });
}

/** Memory in use by a process, in megabytes. */
export function residentMb(pid: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** The entries of `after` that are not in `before`, with multiplicity. */
export function addedEntries(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  return after.filter((name) => {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
