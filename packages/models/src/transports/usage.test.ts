import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testRegistry } from "../registry/registry.harness.ts";
import { usageOf } from "./usage.ts";

const flat = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.5 };
const dear = { input: 10, output: 20, cacheRead: 1, cacheWrite: 15 };
const cost = { ...flat, tiers: [{ inputTokensAbove: 1000, ...dear }] };
const tokens = (input: number, cacheRead = 0) => ({ input, output: 1_000_000, cacheRead, cacheWrite: 0 });

describe("the cost of a request", () => {
  it("uses the higher tier for the whole request when its input, cached or not, exceeds the limit", () => {
    expect(usageOf(tokens(1000), cost).cost.output).toBe(2);
    expect(usageOf(tokens(1001), cost).cost.output).toBe(20);
    expect(usageOf(tokens(1, 1000), cost).cost.output).toBe(20);
  });

  it("uses the highest matching tier, in any order of tiers", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(5000)), fc.nat(6000), (limits, input) => {
        const tiers = limits.map((inputTokensAbove) => ({ inputTokensAbove, ...flat, output: inputTokensAbove + 3 }));
        const above = limits.filter((limit) => input > limit);
        const wanted = above.length > 0 ? Math.max(...above) + 3 : 2;
        expect(usageOf(tokens(input), { ...flat, tiers }).cost.output).toBe(wanted);
      }),
    );
  });

  it("can be set in models.yml, and a price without tiers applies to every length", () => {
    const registry = testRegistry({
      models: `providers:
  openai:
    modelOverrides:
      gpt-5.4: {cost: {input: 1}}
      gpt-5.5: {cost: {tiers: [{inputTokensAbove: 5, input: 1, output: 2, cacheRead: 3, cacheWrite: 4}]}}
`,
    });
    expect(registry.problems()).toEqual([]);
    expect(registry.find("openai", "gpt-5.4")?.cost).toEqual({ input: 1, output: 15, cacheRead: 0.25, cacheWrite: 0 });
    expect(registry.find("openai", "gpt-5.5")?.cost.tiers).toMatchObject([{ inputTokensAbove: 5, cacheWrite: 4 }]);
  });
});
