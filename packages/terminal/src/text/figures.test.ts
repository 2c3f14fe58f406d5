import { expect, test } from "vitest";
import { formatAge, formatBytes, formatDollars, formatDuration, formatTokens } from "./figures.ts";

test("formats tokens, durations, sizes and costs at every magnitude", () => {
  expect([0, 999, 1000, 12_345, 250_000, 999_499, 999_500, 1_000_000, 1_200_000].map(formatTokens)).toEqual([
    "0",
    "999",
    "1k",
    "12.3k",
    "250k",
    "999k",
    "1M",
    "1M",
    "1.2M",
  ]);
  expect([5, 1500, 65_000, 3_600_000, 7_500_000].map(formatDuration)).toEqual([
    "5 ms",
    "1.5 s",
    "1 m 5 s",
    "1 h 0 m",
    "2 h 5 m",
  ]);
  expect([512, 2048, 5 * 1024 ** 3].map(formatBytes)).toEqual(["512 B", "2 kB", "5 GB"]);
  expect(formatDollars({ usd: 0.0123, source: "agent" })).toBe("$0.0123");
  expect(formatDollars({ usd: 12.5, source: "list" })).toBe("~$12.50");
});

test("formats ages in one unit", () => {
  const now = Date.parse("2030-01-10T00:00:00Z");
  const ages = ["2030-01-10T00:00:00Z", "2030-01-09T23:59:30Z", "2030-01-09T23:00:00Z", "2030-01-07T00:00:00Z"];
  expect(ages.map((at) => formatAge(at, now))).toEqual(["now", "30s", "1h", "3d"]);
});
