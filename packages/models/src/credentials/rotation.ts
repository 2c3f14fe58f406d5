import { createHash } from "node:crypto";
import { backoffMs } from "../backoff.ts";
import type { ProviderFailure } from "../messages.ts";

/** How a credential stands: not before `restingUntil` (0: now), after so many refusals without a success between. */
export type Rest = { restingUntil: number; strikes: number };
export type Clock = { now(): number; random(): number };

export const clock: Clock = { now: Date.now, random: Math.random };

const FIRST_REST = 30_000;
const LONGEST_REST = 3_600_000;
/** A server that says how long is believed up to a week; beyond that it is a mistake. */
const LONGEST_WORD = 7 * 24 * 3_600_000;
const QUOTA_REST = 300_000;
/** So many refusals of the same key in a row are meant. */
const LAST_STRIKE = 3;

/** What a credential is after an outcome. `undefined`: it is none of its business (the network, the request itself). */
export function after(
  rest: Rest,
  outcome: "ok" | ProviderFailure,
  { now, random }: Clock,
): (Rest & { disable?: boolean }) | undefined {
  if (outcome === "ok") return { restingUntil: 0, strikes: 0 };
  const strikes = rest.strikes + 1;
  const first = outcome.category === "quota" ? QUOTA_REST : FIRST_REST;
  if (outcome.category !== "auth" && outcome.category !== "quota" && outcome.category !== "rate_limited")
    return undefined;
  const spread = backoffMs(strikes, { firstMs: first, maxMs: LONGEST_REST, jitter: 0.25, random });
  const told = outcome.retryAfterMs;
  const wait = told === undefined || !(told >= 0) ? spread : Math.min(told, LONGEST_WORD);
  const disable = outcome.category === "auth" && strikes >= LAST_STRIKE;
  return { restingUntil: now() + Math.ceil(wait), strikes, ...(disable ? { disable } : {}) };
}

/**
 * Which one to use: the one that the session has as long as it is ready, else a ready one of the first tier that has any
 * (spread over sessions), else the one that is ready soonest, with its time.
 */
export function choose<One extends Rest>(
  tiers: readonly (readonly One[])[],
  now: number,
  options: { held?: One; sessionId?: string } = {},
): { one: One; readyAt?: number } | undefined {
  const { held, sessionId } = options;
  if (held && held.restingUntil <= now && tiers.some((tier) => tier.includes(held))) return { one: held };
  for (const tier of tiers) {
    const ready = tier.filter((one) => one.restingUntil <= now);
    const one = ready[sessionId === undefined ? 0 : spot(sessionId, ready.length)];
    if (one) return { one };
  }
  const soonest = tiers.flat().reduce<One | undefined>((best, one) => {
    return best === undefined || one.restingUntil < best.restingUntil ? one : best;
  }, undefined);
  return soonest && { one: soonest, readyAt: soonest.restingUntil };
}

/** The same place for the same session in every process. */
function spot(sessionId: string, places: number): number {
  return places === 0 ? 0 : createHash("sha256").update(sessionId).digest().readUInt32BE(0) % places;
}
