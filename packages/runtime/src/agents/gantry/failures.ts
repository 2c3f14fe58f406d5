import { type Failure, type FailureCategory, failure } from "@gantry/protocol";
import { type Fields, fields, own, text } from "../fields.ts";
import { categoryOf } from "../json-lines/reading/failures.ts";

/** The agent's words for what went wrong with a provider, in ours. */
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

/** Why the model's message failed, where the agent says it in one of its categories. */
export function failureIn(message: Fields): Failure | undefined {
  const details = fields(message.failure);
  const category = own(categories, text(details.category));
  if (!category || message.stopReason !== "error") return undefined;
  const reason = text(details.message) ?? text(message.errorMessage) ?? "The model gave no reason.";
  // Providers refuse those who have not paid in the same way as those who have used up their share.
  return failure(category === "quota" && categoryOf(reason) === "billing" ? "billing" : category, reason);
}
