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
