import type { ProviderFailure } from "@gantry/models";
import { backoffMs } from "@gantry/models/backoff";
import type { Settings } from "../../settings/schema.ts";

/** Transient failures: the same model is retried after a delay. */
const TRANSIENT: ReadonlySet<ProviderFailure["category"]> = new Set([
  "rate_limited",
  "overloaded",
  "server",
  "network",
]);

export type RetryPlan = { retry: true; delayMs: number } | { retry: false };

/**
 * Whether and when a failed request is retried. `attempt` counts the retries so far, from 0. If the server asks for a
 * delay longer than `maxDelayMs`, the request is not retried.
 */
export function planRetry(
  failure: ProviderFailure | undefined,
  attempt: number,
  settings: Pick<Settings["retry"], "enabled" | "maxRetries" | "baseDelayMs" | "maxDelayMs">,
): RetryPlan {
  if (!failure || !settings.enabled || attempt >= settings.maxRetries) return { retry: false };
  if (!TRANSIENT.has(failure.category)) return { retry: false };
  const requested = failure.retryAfterMs ?? 0;
  if (requested > settings.maxDelayMs) return { retry: false };
  const backoff = backoffMs(attempt + 1, { firstMs: settings.baseDelayMs, maxMs: settings.maxDelayMs });
  return { retry: true, delayMs: Math.max(backoff, requested) };
}

/** Whether a fallback model may be used after this failure. */
export function mayFallBack(failure: ProviderFailure | undefined): boolean {
  if (!failure) return false;
  return TRANSIENT.has(failure.category) || failure.category === "quota" || failure.category === "auth";
}
