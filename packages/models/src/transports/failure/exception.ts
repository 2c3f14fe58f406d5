import type { ProviderFailure } from "../../messages.ts";
import { redact } from "./redact.ts";

/** The failure for a thrown error: a broken socket, an unknown host, or a bug in Gantry. */
export function failureOfException(error: unknown, secrets: readonly string[]): ProviderFailure {
  const chain = causes(error);
  const codes = chain.map((each) => String((each as { code?: unknown }).code ?? ""));
  const messages = [...new Set(chain.map((each) => each.message).filter(Boolean))].join(": ");
  const network =
    codes.some((code) => /^(E[A-Z]{3,}|UND_ERR_\w+)$/.test(code)) ||
    /fetch failed|terminated|socket|network|other side closed|aborted|premature/i.test(messages);
  const message = redact(messages || "The request failed without a message.", secrets).slice(0, 1000);
  return {
    category: network ? "network" : "unknown",
    message: network ? `The connection failed: ${message}` : message,
  };
}

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  let at: unknown = error;
  while (at instanceof Error && chain.length < 5) {
    chain.push(at);
    at = at.cause;
  }
  return chain.length > 0 ? chain : [new Error(String(error))];
}
