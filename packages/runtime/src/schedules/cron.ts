import { GantryError } from "@gantry/protocol";

/** A cron expression, read: which minutes, hours and days it means, in the time zone of this machine. */
export type Cron = {
  minutes: readonly number[];
  hours: readonly number[];
  /** Every hour matches: the expression is an interval, so a repeated hour counts twice. */
  everyHour: boolean;
  months: ReadonlySet<number>;
  fits(date: Date): boolean;
};

type Field = { name: string; from: number; to: number; names?: readonly string[] };

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS: readonly [Field, Field, Field, Field, Field] = [
  { name: "minute", from: 0, to: 59 },
  { name: "hour", from: 0, to: 23 },
  { name: "day of the month", from: 1, to: 31 },
  { name: "month", from: 1, to: 12, names: MONTHS },
  { name: "day of the week", from: 0, to: 7, names: DAYS },
];
const SHORT: Record<string, string> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
};
/** The 29th of February may be eight years away. */
const FARTHEST_DAYS = 8 * 366 + 1;
const SHIFTS_MS = [1_800_000, 3_600_000, 7_200_000];

/** Parses five fields, or a name such as `@daily`. Throws `invalid` for anything else and for a date that never occurs. */
export function parseCron(text: string): Cron {
  const fields = (SHORT[text.trim().toLowerCase()] ?? text).trim().split(/\s+/);
  if (fields.length !== FIELDS.length) {
    throw cronError(text, `has ${fields.length} fields instead of five: minute, hour, day, month, day of the week`);
  }
  const [minutes, hours, days, months, weekdays] = fields.map((field, i) => parseField(text, field, FIELDS[i]!));
  const [, hour = "", day = "", , weekday = ""] = fields;
  const inWeek = new Set(weekdays!.map((number) => number % 7));
  const inMonth = new Set(days!);
  const either = !day.startsWith("*") && !weekday.startsWith("*");
  const matchesDay = (date: Date) => {
    const [a, b] = [inMonth.has(date.getDate()), inWeek.has(date.getDay())];
    return either ? a || b : a && b;
  };
  const everyHour = hour.startsWith("*");
  const cron = { minutes: minutes!, hours: hours!, everyHour, months: new Set(months!), fits: matchesDay };
  if (nextTime(cron, Date.UTC(2026, 0, 1)) === undefined) throw cronError(text, "means a day that never comes");
  return cron;
}

/**
 * The first match of the expression after `after`. A local time that daylight saving skips is moved by the skipped
 * amount; a repeated one matches once, unless every hour matches. `undefined`: no match within eight years.
 */
export function nextTime(cron: Cron, after: number): number | undefined {
  const from = new Date(after);
  for (let ahead = 0; ahead < FARTHEST_DAYS; ahead++) {
    // At noon, which no clock leaves out.
    const day = new Date(from.getFullYear(), from.getMonth(), from.getDate() + ahead, 12);
    if (!cron.months.has(day.getMonth() + 1) || !cron.fits(day)) continue;
    const next = timesOf(cron, day).find((time) => time > after);
    if (next !== undefined) return next;
  }
  return undefined;
}

function timesOf({ hours, minutes, everyHour }: Cron, day: Date): number[] {
  const times = hours.flatMap((hour) =>
    minutes.flatMap((minute) => {
      const first = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute).getTime();
      return everyHour ? [first, ...findRepeatedTimes(first)] : [first];
    }),
  );
  return times.sort((a, b) => a - b);
}

/** The second occurrence of a local time on the day when the clock is set back. */
function findRepeatedTimes(time: number): number[] {
  const wall = (at: number) => new Date(at).toString().slice(0, 24);
  return SHIFTS_MS.map((shift) => time + shift).filter((later) => wall(later) === wall(time));
}

function parseField(text: string, word: string, field: Field): number[] {
  const values = new Set<number>();
  for (const part of word.toLowerCase().split(",")) {
    const [range = "", step, ...rest] = part.split("/");
    const by = step === undefined ? 1 : Number(step);
    if (rest.length > 0 || !Number.isInteger(by) || by < 1 || step === "") throw wrongField(text, part, field);
    const [from, to] = rangeOf(text, range, field);
    if (step !== undefined && from === to) throw wrongField(text, part, field);
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

function rangeOf(text: string, range: string, field: Field): [number, number] {
  if (range === "*") return [field.from, field.name === "day of the week" ? 6 : field.to];
  const ends = range.split("-").map((name) => numberOf(name, field));
  const [from, to] = [ends[0], ends.at(-1)];
  if (ends.length > 2 || from === undefined || to === undefined || from > to) throw wrongField(text, range, field);
  return [from, to];
}

function numberOf(name: string, { from, to, names }: Field): number | undefined {
  const named = names?.indexOf(name) ?? -1;
  if (named >= 0) return named + from;
  const value = /^\d{1,2}$/.test(name) ? Number(name) : -1;
  return value >= from && value <= to ? value : undefined;
}

function wrongField(text: string, part: string, { name, from, to }: Field): GantryError {
  return cronError(text, `has \`${part}\` as the ${name}, which must be from ${from} to ${to}`);
}

function cronError(text: string, why: string): GantryError {
  return new GantryError("invalid", `\`${text}\` is no cron expression: it ${why}.`, {
    remedy: "Write minute, hour, day, month and day of the week, such as `30 9 * * 1-5`, or a number of seconds.",
  });
}
