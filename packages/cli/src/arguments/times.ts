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

const SPANS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A past moment for a query: a day, a time, `today`, or an age such as `7d`. Throws a usage error. */
export function momentOf(given: string | undefined): string | undefined {
  if (given === undefined || /^\d{4}-\d\d-\d\d$/.test(given)) return given;
  if (given === "today") return new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
  const [, count, unit] = /^(\d+)([hdw])$/.exec(given) ?? [];
  const at = count ? Date.now() - Number(count) * SPANS[unit as keyof typeof SPANS] : Date.parse(given);
  if (Number.isNaN(at)) throw usageError(`${given} is neither a day nor a time, such as 2026-11-01, 7d or today.`);
  return new Date(at).toISOString();
}
