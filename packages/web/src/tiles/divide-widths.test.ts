import fc from "fast-check";
import { expect, it } from "vitest";
import { divide, shareOf, widthOf } from "./divide-widths.ts";

it("divides a pair without changing its sum or any other tile", () => {
  const width = fc.double({ min: 0.2, max: 3, noNaN: true });
  fc.assert(
    fc.property(width, width, fc.double({ min: -1, max: 2, noNaN: true }), (a, b, share) => {
      const next = divide({ a, b, c: 2 }, "a", "b", share);
      expect(widthOf(next, "a") + widthOf(next, "b")).toBeCloseTo(a + b);
      expect(next.c).toBe(2);
      expect(shareOf(next, "a", "b")).toBeGreaterThanOrEqual(0.149);
      expect(shareOf(next, "a", "b")).toBeLessThanOrEqual(0.851);
    }),
  );
  expect(shareOf({}, "x", "y")).toBe(0.5);
});
