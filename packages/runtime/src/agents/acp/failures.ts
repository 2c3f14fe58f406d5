import { type Failure, type FailureCategory, failure } from "@gantry/protocol";
import type { RpcError } from "../../framing/json-rpc.ts";
import { fields, nonBlank, own, text } from "../fields.ts";
import type { Dialect } from "./dialect.ts";

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;

/** Names that agents give their errors under `data`. */
const byName: Record<string, FailureCategory> = {
  rate_limit: "rate_limit",
  authentication_failed: "auth",
  authentication_error: "auth",
  oauth_org_not_allowed: "auth",
  billing_error: "billing",
  invalid_request: "unknown",
  server_error: "overloaded",
  overloaded: "overloaded",
  model_not_found: "model_unavailable",
  max_output_tokens: "context_overflow",
  ProviderAuthError: "auth",
  ContextOverflowError: "context_overflow",
  MessageOutputLengthError: "context_overflow",
  MessageAbortedError: "cancelled",
};

/**
 * What the words of an error tell; the first match counts. An answer cut at the output limit is `context_overflow`: both
 * mean that there was no room left for the tokens, and the same remedy helps.
 */
const byWords: readonly (readonly [RegExp, FailureCategory])[] = [
  [
    /context[_ ]length|context window|maximum context|context exceeds|too large to compact|prompt is too long|token count.{0,40}exceeds/i,
    "context_overflow",
  ],
  // The words about a quota mostly name the billing details as well.
  [/exceeded your (current )?quota/i, "quota"],
  [/credit balance|billing|payment required|\b402\b/i, "billing"],
  [/insufficient_quota|quota exceeded|usage limit|RESOURCE_EXHAUSTED/i, "quota"],
  [/rate.?limit|too many requests|\b429\b/i, "rate_limit"],
  [/unauthori[sz]ed|authenticat|api[_ ]key|not logged in|log ?in again|permission_denied|\b401\b|\b403\b/i, "auth"],
  [
    /model.{0,120}(not found|does not exist|not supported|unavailable)|unknown model|model_not_found/i,
    "model_unavailable",
  ],
  [/overloaded|high demand|at capacity|server error|\b50[0234]\b|\b529\b/i, "overloaded"],
  [/timed? ?out/i, "timeout"],
  [
    /terminated|socket|ECONN\w+|ENOTFOUND|EAI_AGAIN|fetch failed|(?:cannot|unable to) connect|connection|network|incomplete json segment|stream (ended|closed|disconnected)/i,
    "network",
  ],
  [/content policy|safety|refus/i, "refused"],
];

/** The failure in an error that a prompt, or the whole turn, ended with. */
export function errorFailure(dialect: Dialect, error: RpcError, otherwise: FailureCategory = "unknown"): Failure {
  const message = errorText(error);
  const { errorKind, errorName } = fields(error.data);
  const named = own(byName, nonBlank(errorKind)) ?? own(byName, nonBlank(errorName));
  if (named && named !== "unknown") return failure(named, message, remedy(dialect, named));
  if (error.code === AUTH_REQUIRED) return failure("auth", message, remedy(dialect, "auth"));
  const category = ofWords(dialect, message) ?? ofStatus(error.code) ?? otherwise;
  return failure(category, message, remedy(dialect, category));
}

/** The failure in a sentence. */
export function wordsFailure(dialect: Dialect, message: string): Failure {
  const category = ofWords(dialect, message) ?? "unknown";
  return failure(category, message.trim(), remedy(dialect, category));
}

export function needsLogin(error: RpcError): boolean {
  return error.code === AUTH_REQUIRED;
}

/** The conversation that was to be resumed is not there. */
export function isLost(dialect: Dialect, error: RpcError): boolean {
  if (error.code === NOT_FOUND || dialect.lost?.test(errorText(error))) return true;
  return /session.{0,60}(not found|unknown|does not exist)|unknown session|no (previous|such) sessions?|not found.{0,20}session/i.test(
    errorText(error),
  );
}

/** What an error says, without the wrapping that says nothing. */
export function errorText(error: RpcError): string {
  const data = fields(error.data);
  const detail = nonBlank(error.data) ?? nonBlank(data.details) ?? nonBlank(data.message);
  const said = error.message.replace(/^Internal error(: )?/, "");
  return readable(detail ?? (said || error.message));
}

/** The provider's own sentence where the message is its JSON answer. */
function readable(message: string): string {
  if (!/^\s*[[{]/.test(message)) return message;
  try {
    const parsed: unknown = JSON.parse(message);
    const answer = fields(Array.isArray(parsed) ? parsed[0] : parsed);
    return text(fields(answer.error).message) ?? text(answer.message) ?? message;
  } catch {
    return message;
  }
}

function ofWords(dialect: Dialect, message: string): FailureCategory | undefined {
  return [...(dialect.failures ?? []), ...byWords].find(([pattern]) => pattern.test(message))?.[1];
}

/** Some agents answer with the provider's HTTP status as the code of the error. */
function ofStatus(code: number): FailureCategory | undefined {
  if (code === 401 || code === 403) return "auth";
  if (code === 402) return "billing";
  if (code === 404) return "model_unavailable";
  if (code === 408) return "timeout";
  if (code === 429) return "rate_limit";
  return code >= 500 && code < 600 ? "overloaded" : undefined;
}

function remedy(dialect: Dialect, category: FailureCategory): string | undefined {
  return category === "auth"
    ? `Log in with \`${dialect.login}\`, or give the agent a valid key, then send the message again.`
    : undefined;
}
