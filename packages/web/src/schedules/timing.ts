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

const UNITS: Record<string, number> = { m: 60, h: 3600, d: 86_400 };

/** Parses `90m`, `2h` or `1d`. Anything else is passed to the daemon as a cron expression. */
function parseSeconds(interval: string): number | undefined {
  const [, count, unit = ""] = /^(\d+)\s*([mhd])$/.exec(interval) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 1);
}

/** The local time `minutes` from now, in the format of a datetime-local field. */
export function inMinutes(minutes: number, now = new Date()): string {
  const time = new Date(now.getTime() + minutes * 60_000);
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
