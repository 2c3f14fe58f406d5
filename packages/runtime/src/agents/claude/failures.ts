import { type Failure, type FailureCategory, failure, isOverloadCode, overloadFailure } from "@gantry/protocol";
import { type Fields, matchFirst, nonBlank, number, text, texts } from "../fields.ts";

/** Failure categories of Claude Code's error kinds (`assistant.error`, `api_retry.error`). */
const kinds: Record<string, FailureCategory> = {
  authentication_failed: "auth",
  oauth_org_not_allowed: "auth",
  account_on_hold: "auth",
  verification_required: "auth",
  cloud_credential_error: "auth",
  billing_error: "billing",
  rate_limit: "rate_limit",
  overloaded: "overloaded",
  overloaded_error: "overloaded",
  server_error: "overloaded",
  model_not_found: "model_unavailable",
  max_output_tokens: "context_overflow",
  connection_failed: "network",
};

/** Texts that are more specific than the error kind. The first match wins. */
const phrases: readonly [RegExp, FailureCategory][] = [
  [/prompt is too long|context (window|length)|input is too long/i, "context_overflow"],
  [/credit balance|billing|payment/i, "billing"],
  [/usage limit|hit your (session |weekly |opus |sonnet )?limit|out of extra usage|limit reached|quota/i, "quota"],
  [/not logged in|please run \/login|invalid api key|authentication|unauthori[sz]ed|oauth token/i, "auth"],
  [/safeguards flagged|usage policy|stopped by a safety/i, "refused"],
  [/issue with the selected model|model .{0,200}?(not found|does not exist)/i, "model_unavailable"],
  [/ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|connection (refused|error|reset)|fetch failed|socket|certificate/i, "network"],
  [/timed? ?out/i, "timeout"],
  [/overloaded|\b529\b/i, "overloaded"],
];

/** Categories of HTTP statuses. 5xx are temporary: `overloaded`. */
function statusCategory(status: number | undefined): FailureCategory | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "billing";
  if (status === 404) return "model_unavailable";
  if (status === 408 || status === 504) return "timeout";
  if (status === 413) return "context_overflow";
  if (status === 429) return "rate_limit";
  return status >= 500 ? "overloaded" : undefined;
}

const OUTPUT_LIMIT = "The answer hit the model's output limit: ask for it in smaller pieces.";
const MAX_TURNS = "The step limit was reached. Send a message to continue.";

const LOST =
  "Claude Code does not have this conversation any more: rebuild it from the session's log, or start a new one.";

/** Whether the text, from stdout or stderr, means that the conversation cannot be resumed. */
export function isConversationLost(message: string): boolean {
  return /No conversation found with session ID/.test(message);
}

/** The fields of a frame that describe a failure. */
type Symptoms = { kind?: string; apiError?: string; status?: number; message: string; refusal?: boolean };

export function toFailure({ kind, apiError, status, message, refusal }: Symptoms): Failure {
  if (refusal) return failure("refused", message);
  if (kind === "max_output_tokens" || apiError === "max_output_tokens") {
    return failure("context_overflow", message, OUTPUT_LIMIT);
  }
  const named = category(apiError) ?? phraseCategory(message, kind) ?? category(kind) ?? statusCategory(status);
  if (named === "overloaded" && [apiError, kind, status].some(isOverloadCode)) return overloadFailure(message);
  return failure(named ?? "unknown", message);
}

function category(kind: string | undefined): FailureCategory | undefined {
  return kind !== undefined && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}

/** For rate limits and invalid requests the text is more specific; otherwise the kind is more reliable. */
function phraseCategory(message: string, kind: string | undefined): FailureCategory | undefined {
  const sure = category(kind);
  if (sure !== undefined && sure !== "rate_limit") return undefined;
  const found = matchFirst(phrases, message);
  return sure === "rate_limit" && found !== "quota" && found !== "billing" ? undefined : found;
}

/** The failure for a text from plain output or stderr. */
export function failureInText(message: string): Failure | undefined {
  const found = matchFirst(phrases, message);
  return found && failure(found, message);
}

/** The failure of a `result` frame. `subtype` is unreliable: API errors arrive as `success` with `is_error`. */
export function resultFailure(result: Fields, earlier: Failure | undefined): Failure {
  const message =
    nonBlank(result.result) ?? nonBlank(texts(result.errors).join("\n")) ?? "The agent reported an error.";
  const reason = text(result.terminal_reason);
  if (reason === "prompt_too_long") return failure("context_overflow", message);
  if (reason === "max_turns" || result.subtype === "error_max_turns") return failure("cancelled", message, MAX_TURNS);
  if (result.subtype === "error_max_budget_usd") return failure("quota", message);
  if (result.subtype === "error_max_structured_output_retries") return failure("tool", message);
  if (earlier) return earlier;
  if (isConversationLost(message)) return failure("unknown", message, LOST);
  return toFailure({
    apiError: text(result.api_error),
    status: number(result.api_error_status),
    message,
    refusal: result.stop_reason === "refusal",
  });
}
