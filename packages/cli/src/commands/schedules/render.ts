import type { Schedule } from "@gantry/protocol";
import { shortId } from "@gantry/terminal";

const UNITS: [number, string][] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

/** The text for the time of a schedule. */
export function whenOf({ at, every, after }: Schedule): string {
  if (at !== undefined) return "once";
  if (after) return `after ${shortId(after.session)}${after.outcome === "any" ? "" : ` ${after.outcome}`}`;
  if (typeof every !== "number") return every ?? "";
  const [size, name] = UNITS.find(([unit]) => every % unit === 0) ?? [1, "second"];
  return every === size ? `every ${name}` : `every ${every / size} ${name}s`;
}

/** The text for the recipient. */
export function targetOf({ session, create }: Schedule): string {
  return session === undefined ? `a new ${create?.agent}` : shortId(session);
}

/** A time as a person here reads it: without the day when that is today. */
export function momentOf(time: string, now: Date): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (date.toDateString() === now.toDateString()) return clock;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}

/** One line about a schedule that was made or changed. */
export function scheduleLine(schedule: Schedule, now: Date): string {
  const { id, enabled, reason, nextAt, after } = schedule;
  const what = `${id} for ${targetOf(schedule)}`;
  if (!enabled) return `${what}: ${reason ?? "paused"}`;
  if (after) return `${what}: ${whenOf(schedule)} becomes idle`;
  const rhythm = schedule.every === undefined ? "" : ` (${whenOf(schedule)})`;
  return `${what}: ${nextAt ? momentOf(nextAt, now) : "now"}${rhythm}`;
}
