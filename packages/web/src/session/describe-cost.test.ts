import { expect, test } from "vitest";
import { describeCost } from "./describe-cost.ts";

test.each([
  [undefined, 0, "unknown"],
  [undefined, 2, "unknown"],
  [{ usd: 0, source: "agent" }, 1, "unknown"],
  [{ usd: 0, source: "agent" }, 0, "$0"],
  [{ usd: 1.5, source: "list" }, 0, "$1.50"],
  [{ usd: 1.5, source: "agent" }, 3, "$1.50 + ?"],
] as const)("cost %j with %i unpriced turns is %s", (cost, unpriced, value) => {
  expect(describeCost(cost, unpriced).value).toBe(value);
});

test("names the source and the turns without a price", () => {
  expect(describeCost({ usd: 2, source: "list" }, 1).title).toBe(
    "Estimated from list prices. The cost of 1 turn is unknown.",
  );
});
