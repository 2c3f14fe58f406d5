import { readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** The daemon that holds a home folder. `pid` is missing where the system does not show it. */
export type LockHolder = { pid?: number };

/** A byte that SQLite locks for a writer: the daemon holds `lock.db` in an exclusive transaction while it runs. */
const LOCKED_BYTE = 1_073_741_826;
const BUSY = 5;

/**
 * The process that holds the home folder now. It is the only sign of life that cannot be stale: the system releases the
 * lock when the process ends, while `daemon.json` may be missing, damaged or left over. Changes nothing.
 */
export async function findLockHolder(home: string): Promise<LockHolder | undefined> {
  const path = join(home, "lock.db");
  let file: Stats | undefined;
  try {
    file = statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  if (!file) return undefined;
  const pid = findWriter(file);
  if (pid !== undefined) return pid > 0 ? { pid } : {};
  return (await isBusy(path)) ? {} : undefined;
}

/** The process with a write lock on the file, from the system's list: reading it disturbs no lock. */
function findWriter({ dev, ino }: Stats): number | undefined {
  let text: string;
  try {
    text = readFileSync("/proc/locks", "latin1");
  } catch {
    return undefined;
  }
  for (const line of text.split("\n")) {
    const [, kind, , access, pid, place = "", start, end] = line.trim().split(/\s+/);
    if (kind !== "POSIX" || access !== "WRITE" || place !== `${deviceName(dev)}:${ino}`) continue;
    if (Number(start) <= LOCKED_BYTE && (end === "EOF" || Number(end) >= LOCKED_BYTE)) return Number(pid);
  }
  return undefined;
}

/** A device number as the list of locks prints it: major and minor number in hexadecimal. */
function deviceName(dev: number): string {
  const major = Math.floor(dev / 256) & 0xfff;
  const minor = (dev & 0xff) | (Math.floor(dev / 4096) & 0xfff00);
  return [major, minor].map((number) => number.toString(16).padStart(2, "0")).join(":");
}

/** For systems without that list: a read that a writer would refuse. The daemon waits for such a read when it starts. */
async function isBusy(path: string): Promise<boolean> {
  const { DatabaseSync } = await import("node:sqlite");
  try {
    const lock = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    try {
      lock.prepare("SELECT count(*) FROM sqlite_schema").get();
      return false;
    } finally {
      lock.close();
    }
  } catch (error) {
    return ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY;
  }
}

/** Whether `pid` is how the process numbers itself: in a container it may have another number than outside. */
export function isProcess(process: number, pid: number): boolean {
  if (process === pid) return true;
  try {
    const [, numbers = ""] = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${process}/status`, "latin1")) ?? [];
    return numbers.trim().split(/\s+/).includes(String(pid));
  } catch {
    return false;
  }
}

/** Whether the process was stopped by a signal or a debugger. `undefined` where the system does not show it. */
export function isSuspended(pid: number): boolean | undefined {
  try {
    const state = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];
    return state === "T" || state === "t";
  } catch {
    return undefined;
  }
}
