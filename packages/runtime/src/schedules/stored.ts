import type { Schedule, ScheduleRun } from "@gantry/protocol";
import { passedSince } from "./occurrence.ts";

/** A stored schedule. */
export type Stored = Schedule & {
  /** Fingerprint of the request that made it. */
  request: string;
  /** A run that could not be sent and is tried again at `nextAt`. */
  pending?: Due & { tries: number };
  /** With `after`: the other session's last turn when this one began to wait. */
  since?: string;
};

/** One run: when it should be, and the name that makes it be once. */
export type Due = { key: string; at: string };

export const KIND = "schedule";
export const DONE = "It has run.";

export function present({ request, pending, since, ...schedule }: Stored): Schedule {
  return schedule;
}

export function dueOf({ pending, nextAt = "" }: Stored): Due {
  return pending ?? { key: nextAt, at: nextAt };
}

/** The schedule after a run that succeeded or is given up. Times that passed since are counted as missed. */
export function advanceSchedule(stored: Stored, due: Due, run: ScheduleRun, now: number): Stored {
  const ran = run.outcome === "failed" ? { misses: stored.misses + 1 } : { runs: stored.runs + 1 };
  return { ...moveToNext({ ...stored, ...ran }, due, now), lastRun: run };
}

/** After a time that was let pass. */
export function skipRun(stored: Stored, due: Due, reason: string, now: number): Stored {
  const next = moveToNext({ ...stored, misses: stored.misses + 1 }, due, now);
  return next.enabled ? next : { ...next, reason };
}

export function disableSchedule(stored: Stored, reason: string, now: number): Stored {
  const { nextAt: _, pending: __, ...rest } = stored;
  return { ...rest, enabled: false, reason, updatedAt: iso(now) };
}

function moveToNext(stored: Stored, due: Due, now: number): Stored {
  if (stored.every === undefined) return disableSchedule(stored, DONE, now);
  const { pending: _, nextAt: __, ...rest } = stored;
  const { passed, next } = passedSince(stored, Date.parse(due.at), now);
  const time = next === undefined || !stored.enabled ? {} : { nextAt: iso(next) };
  return { ...rest, ...time, misses: stored.misses + passed, updatedAt: iso(now) };
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
