import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { nextTime, parseCron } from "./cron.ts";

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** The times that follow one another, as the clock on the wall shows them. */
function times(expression: string, after: string, count: number, timeZone = "UTC"): string[] {
  process.env.TZ = timeZone;
  const cron = parseCron(expression);
  const found: string[] = [];
  for (let at = Date.parse(after); found.length < count; ) {
    at = nextTime(cron, at) ?? Number.NaN;
    found.push(wall(at));
  }
  return found;
}

function wall(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

describe("an expression", () => {
  it.each([
    ["30 9 * * 1-5", "2026-11-13T12:00:00Z", ["11-16 09:30", "11-17 09:30"]],
    ["*/20 8,9 * * *", "2026-11-13T08:39:59Z", ["11-13 08:40", "11-13 09:00", "11-13 09:20"]],
    ["0 0 1 jan,jul *", "2026-11-13T00:00:00Z", ["01-01 00:00", "07-01 00:00"]],
    ["0 12 29 2 *", "2026-11-13T00:00:00Z", ["02-29 12:00"]],
    ["0 12 13 * fri", "2026-11-08T00:00:00Z", ["11-13 12:00", "11-20 12:00", "11-27 12:00", "12-04 12:00"]],
    ["0 12 * * 7", "2026-11-13T00:00:00Z", ["11-15 12:00"]],
    ["@daily", "2026-11-13T00:00:00Z", ["11-14 00:00"]],
  ])("%s", (expression, after, expected) => {
    expect(times(expression, after, expected.length)).toEqual(expected);
  });

  it.each([
    "",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 8",
    "a * * * *",
    "*/0 * * * *",
    "*/x * * * *",
    "5/10 * * * *",
    "9-3 * * * *",
    "1-2-3 * * * *",
    "1,,2 * * * *",
    "-1 * * * *",
    "0 0 31 2 *",
    "@often",
  ])("refuses `%s`", (expression) => {
    expect(() => parseCron(expression)).toThrow(expect.objectContaining({ code: "invalid" }));
  });
});

describe("when the clock is changed", () => {
  it("a time that is left out comes as much later, on that day only", () => {
    const found = times("30 2 * * *", "2026-03-28T00:00:00Z", 3, "Europe/Berlin");
    expect(found).toEqual(["03-28 02:30", "03-29 03:30", "03-30 02:30"]);
  });

  it("midnight that is left out comes too", () => {
    expect(times("0 0 * * *", "2018-11-03T12:00:00Z", 2, "America/Sao_Paulo")).toEqual(["11-04 01:00", "11-05 00:00"]);
  });

  it("a time that is repeated comes once", () => {
    const found = times("30 2 * * *", "2026-10-24T12:00:00Z", 2, "Europe/Berlin");
    expect(found).toEqual(["10-25 02:30", "10-26 02:30"]);
  });

  it("runs an interval in both passes of a repeated hour", () => {
    const found = times("*/30 * * * *", "2026-10-24T23:50:00Z", 6, "Europe/Berlin");
    expect(found).toEqual(["10-25 02:00", "10-25 02:30", "10-25 02:00", "10-25 02:30", "10-25 03:00", "10-25 03:30"]);
  });
});

const number = (from: number, to: number) => fc.integer({ min: from, max: to });
const field = (from: number, to: number) =>
  fc.oneof(
    fc.constant("*"),
    number(from, to).map(String),
    number(2, 15).map((step) => `*/${step}`),
    fc.tuple(number(from, to), number(from, to)).map((ends) => [Math.min(...ends), Math.max(...ends)].join("-")),
    fc.array(number(from, to), { minLength: 1, maxLength: 3 }).map((list) => list.join(",")),
  );

it("gives the first minute that fits, as trying every minute would", () => {
  process.env.TZ = "UTC";
  const expressions = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6));
  fc.assert(
    fc.property(expressions, number(0, 40_000), (fields, minutes) => {
      const cron = parseCron(fields.join(" "));
      const after = Date.UTC(2026, 0, 1) + minutes * 60_000 + 17;
      const next = nextTime(cron, after)!;
      const fits = (at: number) => {
        const date = new Date(at);
        const time = cron.hours.includes(date.getHours()) && cron.minutes.includes(date.getMinutes());
        return time && cron.months.has(date.getMonth() + 1) && cron.fits(date);
      };
      expect(next).toBeGreaterThan(after);
      expect(fits(next)).toBe(true);
      for (let at = Math.ceil(after / 60_000) * 60_000, tries = 0; at < next && tries < 3000; at += 60_000, tries++)
        expect(fits(at)).toBe(false);
    }),
    { numRuns: 150 },
  );
});
