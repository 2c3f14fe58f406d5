import type { Offer } from "../agents/offer.ts";
import { failureRemedies } from "./remedies.ts";
import type { Failure, FailureCategory } from "./schema.ts";

const RETRYABLE: readonly FailureCategory[] = ["rate_limit", "network", "overloaded", "timeout", "crashed"];

/** Creates a failure. The remedy defaults to that of the category. */
export function failure(category: FailureCategory, message: string, remedy?: string): Failure {
  return {
    category,
    message,
    retryable: RETRYABLE.includes(category),
    remedy: remedy ?? failureRemedies[category],
  };
}

/** The provider rejects requests for lack of capacity: HTTP 529, `overloaded_error`, or 503 with such a code or text. */
const OVERLOAD = /overload|\b529\b|at capacity|high demand|\bUNAVAILABLE\b/;
const OVERLOAD_ANY_CASE = /overload|at capacity|high demand/i;

/** Error codes of providers and agents that mean overload. */
const OVERLOAD_CODE = /^(overloaded(_error)?|server_?(is_?)?overloaded|flexUnavailable|policyCapacityUnavailable)$/i;

/** Whether an error code or HTTP status means overload. A plain 503 may be a restart of the server or of a proxy. */
export function isOverloadCode(code: string | number | undefined): boolean {
  return code === 529 || (typeof code === "string" && OVERLOAD_CODE.test(code));
}

/** A failure for a code that means overload. The message states it even if the text of the provider does not. */
export function overloadFailure(message: string): Failure {
  const stated = failure("overloaded", message);
  if (isOverload(stated)) return stated;
  return failure("overloaded", message ? `The provider is overloaded: ${message}` : "The provider is overloaded.");
}

/**
 * Whether the provider is short of capacity, so that other requests would fail too. Other failures of the category are
 * errors of the server, which may concern one request only.
 */
export function isOverload(failed: Failure | undefined): boolean {
  if (failed?.category !== "overloaded") return false;
  return OVERLOAD.test(failed.message) || OVERLOAD_ANY_CASE.test(failed.message);
}

/** Adds a setup command to a failure; the remedy then names the command. */
export function withOffer(failed: Failure, offer: Offer | undefined): Failure {
  return offer ? { ...failed, remedy: offerRemedy(offer), offer } : failed;
}

function offerRemedy({ kind, display }: Offer): string {
  const key = kind === "login" ? ", or give the agent a valid key" : "";
  return `Run \`${display}\` in a terminal${key}, then send the message again.`;
}

/** Reads the setup command from `details.offer` of an API error. */
export function offerIn(details: unknown): Offer | undefined {
  const found = (details as { offer?: unknown } | null | undefined)?.offer;
  return isOffer(found) ? found : undefined;
}

function isOffer(value: unknown): value is Offer {
  if (typeof value !== "object" || value === null) return false;
  const { kind, agent, title, command, display, env = [] } = value as Record<string, unknown>;
  const known = kind === "install" || kind === "login";
  const named = [agent, title, display].every((text) => typeof text === "string");
  return known && named && isTexts(command) && command.length > 0 && isTexts(env);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
