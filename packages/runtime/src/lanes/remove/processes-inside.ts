import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses } from "../../process/identity.ts";
import { isInside } from "../records.ts";

/** A process whose working folder is in a lane. `marker`: Gantry started it or its parent. */
export type ProcessInside = { pid: number; command: string; marker?: string };

/** Processes that work in a folder, as far as this user may see. Excludes git processes of the daemon itself. */
export async function processesInside(folder: string): Promise<ProcessInside[]> {
  const found = process.platform === "linux" ? fromProc(folder) : await fromLsof(folder);
  if (found.length === 0) return [];
  const markers = new Map(listProcesses().map(({ pid, marker }) => [pid, marker]));
  return found.map((one) => ({ ...one, ...(markers.get(one.pid) ? { marker: markers.get(one.pid) } : {}) }));
}

const GRACE_MS = 1000;

/** Ends these processes only: others with the same marker may work elsewhere. */
export async function endProcesses(pids: readonly number[]): Promise<void> {
  for (const name of ["SIGTERM", "SIGKILL"] as const) {
    for (const pid of pids) signal(pid, name);
    for (const deadline = Date.now() + GRACE_MS; Date.now() < deadline; await sleep(20)) {
      const left = new Set(listProcesses().map(({ pid }) => pid));
      if (!pids.some((pid) => left.has(pid))) return;
    }
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended, or belongs to another user.
  }
}

function fromProc(folder: string): ProcessInside[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const cwd = readlinkSync(`/proc/${name}/cwd`).replace(/ \(deleted\)$/, "");
      if (!isInside(cwd, folder) || isOwnGit(name)) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").join(" ").trim();
      return [{ pid: Number(name), command: command.slice(0, 200) }];
    } catch {
      return [];
    }
  });
}

function isOwnGit(pid: string): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  return Number(pid) === process.pid || (Number(parent) === process.pid && stat.includes("(git)"));
}

/** For systems without /proc. Finds nothing where lsof is missing too. */
function fromLsof(folder: string): Promise<ProcessInside[]> {
  return new Promise((resolve) => {
    execFile("lsof", ["-w", "-d", "cwd", "-F", "pcn"], { timeout: 10_000, maxBuffer: 32 << 20 }, (_error, out) =>
      resolve(parseLsof(out, folder).filter(({ pid, command }) => pid !== process.pid && command !== "git")),
    );
  });
}

/** Fields of `lsof -F pcn`, one per line: a process, its name, its folder. */
export function parseLsof(out: string, folder: string): ProcessInside[] {
  const found: ProcessInside[] = [];
  let [pid, command] = [0, ""];
  for (const line of out.split("\n")) {
    if (line.startsWith("p")) pid = Number(line.slice(1));
    if (line.startsWith("c")) command = line.slice(1);
    if (line.startsWith("n") && isInside(line.slice(1), folder)) found.push({ pid, command });
  }
  return found;
}
