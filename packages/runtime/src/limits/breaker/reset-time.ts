/**
 * Parses when a limit ends from the text of a provider or an agent: `try again in 1.5s`, `resets 3pm (Europe/Berlin)`,
 * `limit reached|1751234567`, `retry-after: 30`. Times without a zone are local. `undefined` if the text has no time.
 */
export function resetTime(text: string, now: Date): Date | undefined {
  for (const read of [epoch, isoTime, relative, retryAfter, clockTime]) {
    const found = read(text, now);
    if (found && !Number.isNaN(found.getTime())) return found;
  }
  return undefined;
}

const ABOUT = "(?:try(?:ing)? again|retry(?:ing)?|resets?|available|wait|until)";

function epoch(text: string): Date | undefined {
  const [, seconds, millis] = /(?:\||resets?_?(?:at)?\W{1,4})(\d{10})(\d{3})?\b/i.exec(text) ?? [];
  if (!seconds) return undefined;
  return new Date(Number(seconds) * 1000 + Number(millis ?? 0));
}

function isoTime(text: string): Date | undefined {
  const [, time] =
    new RegExp(`${ABOUT}.{0,40}?(\\d{4}-\\d\\d-\\d\\d[T ][\\d:.]+(?:Z|[+-]\\d\\d:?\\d\\d)?)`, "i").exec(text) ?? [];
  return time ? new Date(time.replace(" ", "T")) : undefined;
}

const UNITS: Record<string, number> = {
  ms: 1,
  mi: 60_000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const AMOUNT =
  "(\\d+(?:\\.\\d+)?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)\\b";
/** `retrying for 30 s` is about the past, not the future. */
const SPAN = new RegExp(
  `(?:(?:try again|retry|resets?|available|until)[^.\\d]{0,30}?\\b(?:in|after)|wait(?: for)?)[:\\s]+(?:about |~)?((?:${AMOUNT}[, ]*(?:and )?)+)`,
  "i",
);

function relative(text: string, now: Date): Date | undefined {
  const [, span] = SPAN.exec(text) ?? /retry_?delay\W{1,4}([\d.]+s)\b/i.exec(text) ?? [];
  if (!span) return undefined;
  let ms = 0;
  for (const [, amount, unit = ""] of span.matchAll(new RegExp(AMOUNT, "gi"))) {
    const name = unit.toLowerCase();
    ms += Number(amount) * (/^(ms|milli)/.test(name) ? 1 : (UNITS[name[0] ?? ""] ?? 0));
  }
  return new Date(now.getTime() + ms);
}

function retryAfter(text: string, now: Date): Date | undefined {
  const [, seconds] = /retry-after\W{1,4}(\d+(?:\.\d+)?)\b/i.exec(text) ?? [];
  return seconds ? new Date(now.getTime() + Number(seconds) * 1000) : undefined;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const CLOCK = new RegExp(
  `${ABOUT}(?: at| on)?:? ?(?:([a-z]{3})[a-z]* (\\d{1,2})(?:st|nd|rd|th)?,?(?: (\\d{4}),?)?(?: at)? )?(\\d{1,2})(?::(\\d\\d))? ?(am|pm)?(?: ?\\(([A-Za-z_/+-]+)\\))?`,
  "i",
);

/** A time of day is the next one; with a date, the one on that day. A bare number is no time. */
function clockTime(text: string, now: Date): Date | undefined {
  const [, month, day, year, hours, minutes, half, zone] = CLOCK.exec(text) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined;
  const hour = (Number(hours) % (half ? 12 : 24)) + (half?.toLowerCase() === "pm" ? 12 : 0);
  const here = wallClock(now, zone);
  const index = month ? MONTHS.indexOf(month.toLowerCase()) : here.month;
  if (index < 0) return undefined;
  const parts = {
    year: Number(year ?? here.year),
    month: index,
    day: Number(day ?? here.day),
    hour,
    minute: Number(minutes ?? 0),
  };
  const at = instant(parts, zone);
  if (at.getTime() > now.getTime()) return at;
  if (!month) return instant({ ...parts, day: parts.day + 1 }, zone);
  return year ? at : instant({ ...parts, year: parts.year + 1 }, zone);
}

type Wall = { year: number; month: number; day: number; hour: number; minute: number };

function wallClock(at: Date, zone: string | undefined): Wall {
  const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  const format = new Intl.DateTimeFormat("en-US", { ...numeric, hourCycle: "h23", timeZone: checkZone(zone) });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return { year, month: month - 1, day, hour, minute };
}

/** The moment at which clocks of the zone show this time: guessed as UTC, then corrected by the difference. */
function instant(wall: Wall, zone: string | undefined): Date {
  const target = Date.UTC(wall.year, wall.month, wall.day, wall.hour, wall.minute);
  let guess = target;
  for (let turn = 0; turn < 2; turn++) {
    const shown = wallClock(new Date(guess), zone);
    guess += target - Date.UTC(shown.year, shown.month, shown.day, shown.hour, shown.minute);
  }
  return new Date(guess);
}

function checkZone(zone: string | undefined): string | undefined {
  if (!zone) return undefined;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}
