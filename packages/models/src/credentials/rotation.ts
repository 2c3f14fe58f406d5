import { createHash } from "node:crypto";
import { backoffMs } from "../backoff.ts";
import type { ProviderFailure } from "../messages.ts";

/** When a credential may be used again (0: now), and how many times in a row the provider has rejected it. */
export type Cooldown = { restingUntil: number; strikes: number };
export type Clock = { now(): number; random(): number };

export const clock: Clock = { now: Date.now, random: Math.random };

const FIRST_COOLDOWN = 30_000;
const LONGEST_COOLDOWN = 3_600_000;
/** A longer `retry-after` than a week is treated as a mistake and capped. */
const LONGEST_REQUESTED = 7 * 24 * 3_600_000;
const QUOTA_COOLDOWN = 300_000;
/** A key that is rejected this many times in a row is disabled. */
const STRIKES_TO_DISABLE = 3;

/** The cooldown after an outcome. `undefined`: the failure does not concern the credential (network, invalid request). */
export function applyOutcome(
  cooldown: Cooldown,
  outcome: "ok" | ProviderFailure,
  { now, random }: Clock,
): (Cooldown & { disable?: boolean }) | undefined {
  if (outcome === "ok") return { restingUntil: 0, strikes: 0 };
  const strikes = cooldown.strikes + 1;
  const first = outcome.category === "quota" ? QUOTA_COOLDOWN : FIRST_COOLDOWN;
  if (outcome.category !== "auth" && outcome.category !== "quota" && outcome.category !== "rate_limited")
    return undefined;
  const backoff = backoffMs(strikes, { firstMs: first, maxMs: LONGEST_COOLDOWN, jitter: 0.25, random });
  const requested = outcome.retryAfterMs;
  const wait = requested === undefined || !(requested >= 0) ? backoff : Math.min(requested, LONGEST_REQUESTED);
  const disable = outcome.category === "auth" && strikes >= STRIKES_TO_DISABLE;
  return { restingUntil: now() + Math.ceil(wait), strikes, ...(disable ? { disable } : {}) };
}

/**
 * Chooses a credential: the one that the session used last if it is ready, else a ready one of the first tier that has
 * any (spread over sessions), else the one that is ready first, with that time.
 */
export function chooseCandidate<One extends Cooldown>(
  tiers: readonly (readonly One[])[],
  now: number,
  options: { held?: One; sessionId?: string } = {},
): { one: One; readyAt?: number } | undefined {
  const { held, sessionId } = options;
  if (held && held.restingUntil <= now && tiers.some((tier) => tier.includes(held))) return { one: held };
  for (const tier of tiers) {
    const ready = tier.filter((one) => one.restingUntil <= now);
    const one = ready[sessionId === undefined ? 0 : slotOf(sessionId, ready.length)];
    if (one) return { one };
  }
  const earliest = tiers.flat().reduce<One | undefined>((best, one) => {
    return best === undefined || one.restingUntil < best.restingUntil ? one : best;
  }, undefined);
  return earliest && { one: earliest, readyAt: earliest.restingUntil };
}

/** Deterministic: every process gives a session the same slot. */
function slotOf(sessionId: string, places: number): number {
  return places === 0 ? 0 : createHash("sha256").update(sessionId).digest().readUInt32BE(0) % places;
}
