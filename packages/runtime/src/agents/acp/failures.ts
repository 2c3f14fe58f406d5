import { type Failure, type FailureCategory, failure, isOverloadCode, overloadFailure } from "@gantry/protocol";
import type { RpcError } from "../../framing/json-rpc.ts";
import { fields, matchFirst, nonBlank, ownValue, text } from "../fields.ts";
import type { Dialect } from "./dialect.ts";

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;

/** Error names found under `data`. */
const byName: Record<string, FailureCategory> = {
  rate_limit: "rate_limit",
  authentication_failed: "auth",
  authentication_error: "auth",
  oauth_org_not_allowed: "auth",
  billing_error: "billing",
  invalid_request: "unknown",
  server_error: "overloaded",
  overloaded: "overloaded",
  overloaded_error: "overloaded",
  server_is_overloaded: "overloaded",
  model_not_found: "model_unavailable",
  max_output_tokens: "context_overflow",
  ProviderAuthError: "auth",
  ContextOverflowError: "context_overflow",
  MessageOutputLengthError: "context_overflow",
  MessageAbortedError: "cancelled",
};

/**
 * Error text patterns; the first match wins. An answer cut at the output limit counts as `context_overflow`: both are
 * out of tokens and have the same remedy.
 */
const textPatterns: readonly (readonly [RegExp, FailureCategory])[] = [
  [
    /context[_ ]length|context window|maximum context|context exceeds|too large to compact|prompt is too long|token count.{0,40}exceeds/i,
    "context_overflow",
  ],
  // Before billing, because quota messages often mention the billing details.
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
    /terminated|socket|ECONN\w+|ENOTFOUND|EAI_AGAIN|fetch failed|(?:cannot|could not|unable to) connect|connection|network|incomplete json segment|stream (ended|closed|disconnected)/i,
    "network",
  ],
  [/content policy|safety|refus/i, "refused"],
];

/** The failure for an error that ended a prompt or a turn. */
export function errorFailure(dialect: Dialect, error: RpcError, otherwise: FailureCategory = "unknown"): Failure {
  const message = errorText(error);
  const { errorKind, errorName } = fields(error.data);
  const named = ownValue(byName, nonBlank(errorKind)) ?? ownValue(byName, nonBlank(errorName));
  if ([nonBlank(errorKind), nonBlank(errorName), error.code].some(isOverloadCode)) return overloadFailure(message);
  if (named && named !== "unknown") return failure(named, message, remedy(dialect, named));
  if (error.code === AUTH_REQUIRED) return failure("auth", message, remedy(dialect, "auth"));
  const category = categoryOfText(dialect, message) ?? categoryOfStatus(error.code) ?? otherwise;
  return failure(category, message, remedy(dialect, category));
}

/** The failure for an error text. */
export function textFailure(dialect: Dialect, message: string): Failure {
  const category = categoryOfText(dialect, message) ?? "unknown";
  return failure(category, message.trim(), remedy(dialect, category));
}

export function needsLogin(error: RpcError): boolean {
  return error.code === AUTH_REQUIRED;
}

/** Whether the error means that the conversation to resume does not exist. */
export function isLost(dialect: Dialect, error: RpcError): boolean {
  if (error.code === NOT_FOUND || dialect.lost?.test(errorText(error))) return true;
  return /session.{0,60}(not found|unknown|does not exist)|unknown session|no (previous|such) sessions?|not found.{0,20}session/i.test(
    errorText(error),
  );
}

/** The readable part of an error, without generic wrappers. */
export function errorText(error: RpcError): string {
  const data = fields(error.data);
  const detail = nonBlank(error.data) ?? nonBlank(data.details) ?? nonBlank(data.message);
  const message = error.message.replace(/^Internal error(: )?/, "");
  return unwrapMessage(detail ?? (message || error.message));
}

/** Extracts the provider's message if the text is its JSON response. */
function unwrapMessage(message: string): string {
  if (!/^\s*[[{]/.test(message)) return message;
  try {
    const parsed: unknown = JSON.parse(message);
    const answer = fields(Array.isArray(parsed) ? parsed[0] : parsed);
    return text(fields(answer.error).message) ?? text(answer.message) ?? message;
  } catch {
    return message;
  }
}

function categoryOfText(dialect: Dialect, message: string): FailureCategory | undefined {
  return matchFirst([...(dialect.failures ?? []), ...textPatterns], message);
}

/** Some agents use the provider's HTTP status as the error code. */
function categoryOfStatus(code: number): FailureCategory | undefined {
  if (code === 401 || code === 403) return "auth";
  if (code === 402) return "billing";
  if (code === 404) return "model_unavailable";
  if (code === 408) return "timeout";
  if (code === 429) return "rate_limit";
  return code >= 500 && code < 600 ? "overloaded" : undefined;
}

function remedy(dialect: Dialect, category: FailureCategory): string | undefined {
  return category === "auth"
    ? `Log in with ${loginText(dialect)}, or give the agent a valid key, then send the message again.`
    : undefined;
}

/** The login command as code, or a description of it if it is not known. */
export function loginText({ login }: Dialect): string {
  return login ? `\`${login}\`` : "the agent's own login command";
}
