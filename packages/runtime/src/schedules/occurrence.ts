import type { Schedule } from "@gantry/protocol";
import { nextTime, parseCron } from "./cron.ts";

/** More than these are not counted one by one. */
const COUNTED = 1000;

/** The first time of a schedule after `after`, which itself is one of its times where it repeats by seconds. */
export function nextOccurrence({ at, every }: Pick<Schedule, "at" | "every">, after: number): number | undefined {
  if (at !== undefined) return Date.parse(at);
  if (typeof every === "number") return after + every * 1000;
  return every === undefined ? undefined : nextTime(parseCron(every), after);
}

/** How many times after `due` have passed by `now`, and the one that comes then. */
export function passedSince(
  schedule: Pick<Schedule, "every">,
  due: number,
  now: number,
): { passed: number; next: number | undefined } {
  const { every } = schedule;
  if (typeof every === "number") {
    const passed = Math.max(0, Math.floor((now - due) / (every * 1000)));
    return { passed, next: due + (passed + 1) * every * 1000 };
  }
  let next = nextOccurrence(schedule, due);
  let passed = 0;
  for (; next !== undefined && next <= now; passed++) next = nextOccurrence(schedule, passed < COUNTED ? next : now);
  return { passed, next };
}
