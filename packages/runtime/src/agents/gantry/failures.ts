import { type Failure, type FailureCategory, failure, overloadFailure } from "@gantry/protocol";
import { type Fields, fields, ownValue, text } from "../fields.ts";
import { categoryOf } from "../json-lines/reading/failures.ts";

/** Failure categories of the agent's provider errors. */
const categories: Record<string, FailureCategory> = {
  auth: "auth",
  rate_limited: "rate_limit",
  quota: "quota",
  overloaded: "overloaded",
  server: "overloaded",
  network: "network",
  overflow: "context_overflow",
  refused: "refused",
  aborted: "cancelled",
};

/** The failure of a model message, if the agent categorised it. */
export function failureIn(message: Fields): Failure | undefined {
  const details = fields(message.failure);
  const category = ownValue(categories, text(details.category));
  if (!category || message.stopReason !== "error") return undefined;
  const reason = text(details.message) ?? text(message.errorMessage) ?? "The model gave no reason.";
  if (details.category === "overloaded") return overloadFailure(reason);
  // Providers report an unpaid account like an exhausted quota; the text distinguishes them.
  return failure(category === "quota" && categoryOf(reason) === "billing" ? "billing" : category, reason);
}
