import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const sinceEpoch = Date.now() - monotonicMs();

/** Milliseconds of the monotonic clock, which all processes of a Linux machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** A time of the wall clock on the monotonic clock. */
export function fromWallClock(ms: number): number {
  return ms - sinceEpoch;
}

/** The percentile for `share` (0 to 1), by nearest rank; NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Resident memory of a process in megabytes (of a million bytes); NaN if it has ended. */
export function residentMb(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** The peak resident memory while `work` runs, sampled ten times a second. */
export async function peakWhile<Result>(pid: number, work: Promise<Result>): Promise<{ result: Result; mb: number }> {
  let mb = residentMb(pid);
  const timer = setInterval(() => {
    mb = Math.max(mb, residentMb(pid) || 0);
  }, 100);
  try {
    const result = await work;
    return { result, mb: Math.max(mb, residentMb(pid) || 0) };
  } finally {
    clearInterval(timer);
  }
}

/** The running processes with `BENCH_MARK=mark` in their environment. */
export function findMarked(mark: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).includes(`BENCH_MARK=${mark}`)).map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Polls `ready` until it returns a value. Throws after `limitMs`. */
export async function until<Found>(
  what: string,
  ready: () => Found | undefined | false | Promise<Found | undefined | false>,
  { limitMs = 60_000, everyMs = 20 } = {},
): Promise<Found> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await ready();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs} ms`);
    await sleep(everyMs);
  }
}
