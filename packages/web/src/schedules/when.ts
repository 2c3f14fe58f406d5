import type { NewSchedule, Schedule } from "@gantry/protocol";

/** When a message goes out, as it stands in the form. */
export type When =
  | { kind: "at"; at: string }
  | { kind: "every"; every: string }
  | { kind: "after"; session: string; outcome: "completed" | "failed" | "any" };

type Timing = Pick<NewSchedule, "at" | "every" | "after">;

/** The same as the daemon takes it; nothing where it is not filled in. Times of the form are local ones. */
export function timingOf(when: When): Timing | undefined {
  if (when.kind === "at") {
    const time = Date.parse(when.at);
    return Number.isNaN(time) ? undefined : { at: new Date(time).toISOString() };
  }
  if (when.kind === "every") {
    const words = when.every.trim();
    if (words === "") return undefined;
    return { every: secondsOf(words) ?? words };
  }
  return when.session ? { after: { session: when.session, outcome: when.outcome } } : undefined;
}

const UNITS: Record<string, number> = { m: 60, h: 3600, d: 86_400 };

/** `90m`, `2h`, `1d`; anything else is left to the daemon, which takes cron expressions. */
function secondsOf(words: string): number | undefined {
  const [, count, unit = ""] = /^(\d+)\s*([mhd])$/.exec(words) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 1);
}

/** A local time as a field of the form wants it, `minutes` from now. */
export function inMinutes(minutes: number, now = new Date()): string {
  const time = new Date(now.getTime() + minutes * 60_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** When a schedule runs, in words. */
export function whenWords(
  { at, every, after }: Pick<Schedule, "at" | "every" | "after">,
  titleOf: (id: string) => string,
): string {
  if (after) return `when “${titleOf(after.session)}” ${endings[after.outcome]}`;
  if (typeof every === "number") return `every ${spanOf(every)}`;
  if (every !== undefined) return `at ${every}`;
  return at ? new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "";
}

const endings = { completed: "is done", failed: "fails", any: "ends" } as const;

function spanOf(seconds: number): string {
  for (const [unit, size] of Object.entries({ day: 86_400, hour: 3600, minute: 60 })) {
    if (seconds % size !== 0) continue;
    const count = seconds / size;
    return count === 1 ? unit : `${count} ${unit}s`;
  }
  return `${seconds} s`;
}
