import type { NewSchedule, Schedule } from "@gantry/protocol";

/** The timing of a message in the form. */
export type When =
  | { kind: "at"; at: string }
  | { kind: "every"; every: string }
  | { kind: "after"; session: string; outcome: "completed" | "failed" | "any" };

type Timing = Pick<NewSchedule, "at" | "every" | "after">;

/** The timing in the format of the daemon; `undefined` while the form is incomplete. Form times are local. */
export function toTiming(when: When): Timing | undefined {
  if (when.kind === "at") {
    const time = Date.parse(when.at);
    return Number.isNaN(time) ? undefined : { at: new Date(time).toISOString() };
  }
  if (when.kind === "every") {
    const interval = when.every.trim();
    if (interval === "") return undefined;
    return { every: parseSeconds(interval) ?? interval };
  }
  return when.session ? { after: { session: when.session, outcome: when.outcome } } : undefined;
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Parses `90m`, `1h30m` or `1d`. Anything else is passed to the daemon as a cron expression. */
function parseSeconds(interval: string): number | undefined {
  const compact = interval.replaceAll(" ", "").toLowerCase();
  if (!/^(\d+[smhdw])+$/.test(compact)) return undefined;
  const parts = [...compact.matchAll(/(\d+)([smhdw])/g)];
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** The timing of a schedule in the form. */
export function toWhen({ at, every, after }: Pick<Schedule, "at" | "every" | "after">): When {
  if (after) return { kind: "after", ...after };
  if (every !== undefined) return { kind: "every", every: typeof every === "number" ? shortInterval(every) : every };
  return { kind: "at", at: at ? localTime(new Date(at)) : inMinutes(60) };
}

/** `90m` or `1d`: the largest unit that divides the interval. */
function shortInterval(seconds: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, length]) => seconds % length === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}

/** The local time `minutes` from now, in the format of a datetime-local field. */
export function inMinutes(minutes: number, now = new Date()): string {
  return localTime(new Date(now.getTime() + minutes * 60_000));
}

function localTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** When a schedule runs, as text. */
export function timingText(
  { at, every, after }: Pick<Schedule, "at" | "every" | "after">,
  titleOf: (id: string) => string,
): string {
  if (after) return `When “${titleOf(after.session)}” ${endings[after.outcome]}`;
  if (typeof every === "number") return `Every ${formatInterval(every)}`;
  if (every !== undefined) return `cron ${every}`;
  return at ? new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "";
}

const endings = { completed: "completes", failed: "fails", any: "ends" } as const;

function formatInterval(seconds: number): string {
  for (const [unit, size] of Object.entries({ day: 86_400, hour: 3600, minute: 60 })) {
    if (seconds % size !== 0) continue;
    const count = seconds / size;
    return count === 1 ? unit : `${count} ${unit}s`;
  }
  return `${seconds} s`;
}
