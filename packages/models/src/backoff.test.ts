import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

test("doubles the delay from the first retry up to the maximum", () => {
  const delays = [1, 2, 3, 4, 5, 5_000].map((attempt) => backoffMs(attempt, { firstMs: 100, maxMs: 1_000 }));
  expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

test("spreads the delay by the jitter and no further", () => {
  const options = fc.record({ attempt: fc.nat(2_000), jitter: fc.double({ min: 0, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(options, fc.double({ min: 0, max: 1, noNaN: true }), ({ attempt, jitter }, random) => {
      const middle = backoffMs(attempt, { firstMs: 5, maxMs: 60_000 });
      const delay = backoffMs(attempt, { firstMs: 5, maxMs: 60_000, jitter, random: () => random });
      expect(Math.abs(delay - middle)).toBeLessThanOrEqual(middle * jitter + 1e-6);
    }),
  );
});
