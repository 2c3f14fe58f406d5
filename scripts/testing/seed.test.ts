import fc from "fast-check";
import { expect, test } from "vitest";

test("property tests run with a fixed seed unless another is requested", () => {
  const requested = process.env.GANTRY_TEST_SEED;
  const expected = requested === "random" ? undefined : Number(requested ?? 20261117);
  expect(fc.readConfigureGlobal().seed).toBe(expected);
});
