import { expect, test } from "vitest";
import { isLater, rhythmOf, secondsOf, timeOf } from "./times.ts";

const now = new Date(2026, 10, 16, 12, 0);

test.each([
  ["90", 90],
  ["90s", 90],
  ["20m", 1200],
  ["1h30m", 5400],
  ["1h 30m", 5400],
  ["2D", 172_800],
  ["1w", 604_800],
])("%s is a length of time", (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

test.each(["", "soon", "20 minutes", "1.5h", "-5m", "m5"])("`%s` is not a duration", (text) => {
  expect(() => secondsOf(text)).toThrow("not a duration");
});

test.each([
  ["14:30", new Date(2026, 10, 16, 14, 30)],
  ["9:05", new Date(2026, 10, 17, 9, 5)],
  ["12:00", new Date(2026, 10, 17, 12, 0)],
  ["2026-12-24 18:00", new Date(2026, 11, 24, 18, 0)],
  ["2026-12-24T18:00:30Z", new Date(Date.UTC(2026, 11, 24, 18, 0, 30))],
  ["2026-12-24T18:00+02:00", new Date(Date.UTC(2026, 11, 24, 16, 0))],
])("%s is a time", (text, time) => {
  expect(timeOf(text, now)).toBe(time.toISOString());
});

test.each(["", "noon", "25:00", "12:60", "2026-12-24", "2026-13-01 10:00", "tomorrow 9:00"])(
  "`%s` is not a time",
  (text) => {
    expect(() => timeOf(text, now)).toThrow("is not a time");
  },
);

test("parses an interval as a duration, or passes it to the daemon", () => {
  expect([rhythmOf("15m"), rhythmOf("3600"), rhythmOf("0 9 * * 1-5"), rhythmOf("@daily")]).toEqual([
    900,
    3600,
    "0 9 * * 1-5",
    "@daily",
  ]);
});

test("one time at most", () => {
  expect([isLater({}), isLater({ in: "5m" }), isLater({ after: "last", outcome: "failed" })]).toEqual([
    false,
    true,
    true,
  ]);
  expect(() => isLater({ in: "5m", at: "12:00" })).toThrow("--at and --in");
  expect(() => isLater({ at: "12:00", outcome: "failed" })).toThrow("--after");
});
