import { usageError } from "../program/errors.ts";

/** The time flags of a message. */
export type WhenFlags = { at?: string; in?: string; every?: string; after?: string; outcome?: Outcome };
export type Outcome = "completed" | "failed" | "any";

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const LENGTH = /^(\d+[smhdw])+$/;

/** `20m`, `1h30m`, `2d`, or a bare number of seconds. Throws a usage error. */
export function secondsOf(text: string): number {
  const compact = text.replaceAll(" ", "").toLowerCase();
  if (/^\d+$/.test(compact)) return Number(compact);
  if (!LENGTH.test(compact)) throw usageError(`\`${text}\` is not a duration.`, "Write 90s, 20m, 1h30m or 2d.");
  const parts = [...compact.matchAll(/(\d+)([smhdw])/g)];
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** A time of day (the next one), or a date with a time; without a zone, this machine's. Throws a usage error. */
export function timeOf(text: string, now: Date): string {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hour !== undefined && Number(hour) < 24 && Number(minute) < 60) {
    const today = new Date(now.getFullYear(), now.getMonth(), now.getDate(), Number(hour), Number(minute));
    const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, Number(hour), Number(minute));
    return (today > now ? today : next).toISOString();
  }
  const known = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)$/i.test(text.trim());
  const time = known ? new Date(text.trim().replace(" ", "T")) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time.toISOString();
  throw usageError(`\`${text}\` is not a time.`, "Write 14:30, or 2026-12-24 18:00.");
}

/** A length of time, or a cron expression, which the daemon looks at. */
export function rhythmOf(text: string): number | string {
  const compact = text.replaceAll(" ", "").toLowerCase();
  return LENGTH.test(compact) || /^\d+$/.test(compact) ? secondsOf(text) : text;
}

/** Is one of them given? Throws a usage error for more than one. */
export function isLater(flags: WhenFlags): boolean {
  const given = (["at", "in", "every", "after"] as const).filter((name) => flags[name] !== undefined);
  if (given.length > 1) throw usageError(`Give one of ${given.map((name) => `--${name}`).join(" and ")}.`);
  if (flags.outcome !== undefined && flags.after === undefined) throw usageError("--outcome goes with --after.");
  return given.length === 1;
}
