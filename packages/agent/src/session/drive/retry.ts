import type { ProviderFailure } from "@gantry/models";
import { backoffMs } from "@gantry/models/backoff";
import type { Settings } from "../../settings/schema.ts";

/** Worth another try with the same model after a while. */
const PASSING: ReadonlySet<ProviderFailure["category"]> = new Set(["rate_limited", "overloaded", "server", "network"]);

export type RetryPlan = { retry: true; delayMs: number } | { retry: false };

/**
 * Whether a failed answer is asked for again, and when. `attempt` counts the tries so far, from 0. A server that wants
 * to be left alone for longer than `maxDelayMs` is believed, and not waited for.
 */
export function planRetry(
  failure: ProviderFailure | undefined,
  attempt: number,
  settings: Pick<Settings["retry"], "enabled" | "maxRetries" | "baseDelayMs" | "maxDelayMs">,
): RetryPlan {
  if (!failure || !settings.enabled || attempt >= settings.maxRetries) return { retry: false };
  if (!PASSING.has(failure.category)) return { retry: false };
  const asked = failure.retryAfterMs ?? 0;
  if (asked > settings.maxDelayMs) return { retry: false };
  const ours = backoffMs(attempt + 1, { firstMs: settings.baseDelayMs, maxMs: settings.maxDelayMs });
  return { retry: true, delayMs: Math.max(ours, asked) };
}

/** Whether another model may do what this one cannot do now. */
export function mayFallBack(failure: ProviderFailure | undefined): boolean {
  if (!failure) return false;
  return PASSING.has(failure.category) || failure.category === "quota" || failure.category === "auth";
}
