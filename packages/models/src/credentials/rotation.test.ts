import fc from "fast-check";
import { expect, test } from "vitest";
import type { ProviderFailure } from "../messages.ts";
import { applyOutcome, type Cooldown, chooseCandidate } from "./rotation.ts";

const rest = fc.record({ restingUntil: fc.nat(1000), strikes: fc.nat(5), id: fc.uuid() });
const tiers = fc.array(fc.array(rest, { maxLength: 4 }), { maxLength: 4 });

test("never chooses a credential that cools down while another is ready, else the one that is ready first", () => {
  fc.assert(
    fc.property(
      tiers,
      fc.nat(1000),
      fc.option(fc.string(), { nil: undefined }),
      fc.nat(20),
      (all, now, sessionId, at) => {
        const flat = all.flat();
        const held = flat[at];
        const choice = chooseCandidate(all, now, { held, sessionId });
        if (flat.length === 0) {
          expect(choice).toBeUndefined();
          return;
        }
        const ready = flat.filter((one) => one.restingUntil <= now);
        if (ready.length > 0) {
          expect(ready).toContain(choice?.one);
          expect(choice?.readyAt).toBeUndefined();
          if (held && ready.includes(held)) expect(choice?.one).toBe(held);
          else expect(all.find((tier) => tier.some((one) => ready.includes(one)))).toContain(choice?.one);
          return;
        }
        const soonest = Math.min(...flat.map((one) => one.restingUntil));
        expect(choice).toMatchObject({ readyAt: soonest, one: { restingUntil: soonest } });
      },
    ),
  );
});

test("gives a session the same first credential every time, and spreads sessions", () => {
  const tier = [1, 2, 3].map((id) => ({ id, restingUntil: 0, strikes: 0 }));
  const pick = (sessionId: string) => chooseCandidate([tier], 0, { sessionId })?.one.id;
  expect(pick("a")).toBe(pick("a"));
  expect(new Set(Array.from({ length: 50 }, (_, index) => pick(`s${index}`))).size).toBe(3);
});

const failure = (category: ProviderFailure["category"], retryAfterMs?: number) => ({
  category,
  message: "",
  retryAfterMs,
});
const clock = { now: () => 1_000_000, random: () => 0.5 };
const well: Cooldown = { restingUntil: 0, strikes: 0 };

test("follows retry-after, else doubles the cooldown up to an hour", () => {
  expect(applyOutcome(well, failure("rate_limited", 7000), clock)).toEqual({ restingUntil: 1_007_000, strikes: 1 });
  expect(applyOutcome(well, failure("rate_limited", 0), clock)?.restingUntil).toBe(1_000_000);
  const waits = [0, 1, 2, 20].map(
    (strikes) => applyOutcome({ ...well, strikes }, failure("rate_limited"), clock)!.restingUntil,
  );
  expect(waits.map((until) => until - 1_000_000)).toEqual([30_000, 60_000, 120_000, 3_600_000]);
  expect(applyOutcome(well, failure("rate_limited", Number.NaN), clock)?.restingUntil).toBe(1_030_000);
  const jitter = [0, 0.999].map(
    (random) => applyOutcome(well, failure("quota"), { ...clock, random: () => random })!.restingUntil,
  );
  expect(jitter[0]).toBeLessThan(jitter[1]!);
});

test("ignores unrelated failures, resets on success, and disables after three rejections", () => {
  for (const category of ["network", "server", "overloaded", "overflow", "invalid", "aborted"] as const)
    expect(applyOutcome(well, failure(category), clock)).toBeUndefined();
  expect(applyOutcome({ restingUntil: 5, strikes: 2 }, "ok", clock)).toEqual(well);
  expect(applyOutcome({ ...well, strikes: 1 }, failure("auth"), clock)?.disable).toBeUndefined();
  expect(applyOutcome({ ...well, strikes: 2 }, failure("auth"), clock)?.disable).toBe(true);
  expect(applyOutcome({ ...well, strikes: 9 }, failure("quota"), clock)?.disable).toBeUndefined();
});
