import { expect, test } from "vitest";
import { formatTime } from "./row-time.tsx";

test.each([
  [new Date(2026, 10, 18, 9, 5), "09:05"],
  [new Date(2026, 10, 17, 23, 59), "17 Nov 23:59"],
  [new Date(2025, 0, 2, 3, 4), "2 Jan 2025 03:04"],
])("%s is shown as %s on 18 November 2026", (at, text) => {
  expect(formatTime(at, new Date(2026, 10, 18, 12))).toBe(text);
});
