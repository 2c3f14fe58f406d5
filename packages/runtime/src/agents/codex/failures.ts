import { type Failure, type FailureCategory, failure, isOverloadCode, overloadFailure } from "@gantry/protocol";
import { type Fields, fields, matchFirst, nonBlank, number, ownValue, text } from "../fields.ts";

/** Categories of plain `codexErrorInfo` values. `other` and `badRequest` are unspecific: the message decides. */
const byName: Record<string, FailureCategory> = {
  contextWindowExceeded: "context_overflow",
  sessionBudgetExceeded: "quota",
  usageLimitExceeded: "quota",
  rateLimitExceeded: "rate_limit",
  flexUnavailable: "overloaded",
  serverOverloaded: "overloaded",
  policyCapacityUnavailable: "overloaded",
  internalServerError: "overloaded",
  modelNotFound: "model_unavailable",
  cyberPolicy: "refused",
  misalignmentPolicyViolation: "refused",
  tooManyDenials: "cancelled",
  unauthorized: "auth",
  sandboxError: "tool",
  threadRollbackFailed: "protocol",
  activeTurnNotSteerable: "protocol",
};

/** `codexErrorInfo` kinds with an HTTP status, or `null` if the connection failed. */
const connectionKinds = [
  "httpConnectionFailed",
  "responseStreamConnectionFailed",
  "responseStreamDisconnected",
  "responseTooManyFailedAttempts",
];

/**
 * Error text patterns; the first match wins. An answer cut at the output limit counts as `context_overflow`: both are
 * out of tokens and have the same remedy.
 */
const textPatterns: [RegExp, FailureCategory][] = [
  [/context_length_exceeded|context window|maximum context length|max_output_tokens/i, "context_overflow"],
  [/credit balance|billing_hard_limit|billing hard limit|payment required|\b402\b/i, "billing"],
  [/insufficient_quota|quota exceeded|usage limit|exceeded your current quota/i, "quota"],
  [/rate limit|rate_limit|too many requests|\b429\b/i, "rate_limit"],
  [
    /missing environment variable|unauthorized|invalid[_ ]api[_ ]key|incorrect api key|not logged in|\b401\b|\b403\b/i,
    "auth",
  ],
  [/log ?in again|login required|refresh token|authentication/i, "auth"],
  [/model .{0,200}(does not exist|not found|not supported)|model_not_found/i, "model_unavailable"],
  [/at capacity|high demand|overloaded|\b50[0234]\b|\b529\b/i, "overloaded"],
  [/timed? ?out/i, "timeout"],
  [
    /stream disconnected|connection (failed|refused|reset|closed)|error sending request|network|dns|lookup address|resolve/i,
    "network",
  ],
  [/sandbox/i, "tool"],
  [/content policy|safety|flagged/i, "refused"],
];

/** The failure of an app-server `error`: `{message, codexErrorInfo, additionalDetails}`. */
export function turnFailure(error: Fields): Failure {
  const details = nonBlank(error.additionalDetails);
  const message = nonBlank(error.message) ?? details ?? "The agent gave no reason.";
  const cause = details && isReconnecting(message) ? details : message;
  const { codexErrorInfo: info } = error;
  const [name, detail] = typeof info === "string" ? [info] : (Object.entries(fields(info))[0] ?? []);
  const status = number(fields(detail).httpStatusCode);
  if (isOverloadCode(name) || isOverloadCode(status)) return overloadFailure(extractMessage(cause));
  return failure(category(info, cause), extractMessage(cause));
}

/** The failure for an error text. */
export function textFailure(message: string): Failure {
  return failure(categoryOfText(message) ?? "unknown", extractMessage(message));
}

/** The failure of a rejected request; `protocol` if the text is unspecific. */
export function requestFailure(error: { message: string }): Failure {
  return failure(categoryOfText(error.message) ?? "protocol", extractMessage(error.message));
}

function category(info: unknown, message: string): FailureCategory {
  if (typeof info === "string") return ownValue(byName, info) ?? categoryOfText(message) ?? "unknown";
  const [name, detail] = Object.entries(fields(info))[0] ?? [];
  if (!name) return categoryOfText(message) ?? "unknown";
  const status = number(fields(detail).httpStatusCode);
  const fromStatus = status === undefined ? undefined : categoryOfStatus(status);
  const fallback = connectionKinds.includes(name) ? "network" : "unknown";
  return ownValue(byName, name) ?? fromStatus ?? categoryOfText(message) ?? fallback;
}

function categoryOfStatus(status: number): FailureCategory | undefined {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "billing";
  if (status === 408) return "timeout";
  if (status === 429) return "rate_limit";
  return status >= 500 ? "overloaded" : undefined;
}

function categoryOfText(message: string): FailureCategory | undefined {
  return matchFirst(textPatterns, message);
}

/** Extracts the provider's message if the text is its JSON response. */
function extractMessage(message: string): string {
  if (!message.startsWith("{")) return message;
  try {
    return nonBlank(fields(fields(JSON.parse(message)).error).message) ?? message;
  } catch {
    return message;
  }
}

export type Reconnect = { attempt?: number; max?: number; delayMs?: number; reason: string };

function isReconnecting(message: string): boolean {
  return message.startsWith("Reconnecting...");
}

/**
 * Parses `Reconnecting... 2/5 (why)`, which `exec` prints as an error and the app-server splits into message and
 * details. `undefined` for other messages.
 */
export function readReconnect(message: string, details?: unknown): Reconnect | undefined {
  if (!isReconnecting(message)) return undefined;
  const [, attempt, max] = /(\d{1,6})\/(\d{1,6})/.exec(message) ?? [];
  const reason = nonBlank(details) ?? /\((.*)\)\s*$/s.exec(message)?.[1] ?? message;
  const delay = /try again in (\d+(?:\.\d+)?) ?(ms|s)\b/i.exec(reason);
  return {
    ...(attempt && max ? { attempt: Number(attempt), max: Number(max) } : {}),
    ...(delay ? { delayMs: Math.round(Number(delay[1]) * (delay[2] === "s" ? 1000 : 1)) } : {}),
    reason,
  };
}

/** Whether the error means that the conversation to resume does not exist on this machine. */
export function isLost(message: unknown): boolean {
  return /no rollout found|thread not found|no (saved )?session found|conversation not found/i.test(
    text(message) ?? "",
  );
}
