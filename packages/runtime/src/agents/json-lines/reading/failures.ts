import {
  type Failure,
  type FailureCategory,
  failure,
  isOverload,
  isOverloadCode,
  overloadFailure,
} from "@gantry/protocol";
import { fields, matchFirst, nonBlank, parseFields } from "../../fields.ts";

/** Error text patterns; the first match wins. */
const textPatterns: [RegExp, FailureCategory][] = [
  [
    /context[_ .-]?(length|window|overflow)|contextoverflow|maximum context|prompt is too long|too many tokens|token count.{0,40}exceeds/i,
    "context_overflow",
  ],
  [/credit balance|billing[_ ]hard[_ ]limit|payment required|insufficient (funds|credits?)|\b402\b/i, "billing"],
  [/insufficient_quota|exceeded your (current )?quota|quota exceeded|usage limit/i, "quota"],
  [/rate[_ .-]?limit|too many requests|resource[_ ]exhausted|\b429\b/i, "rate_limit"],
  [
    /unauthori[sz]ed|unauthenticated|permission[_ ]denied|invalid[_ ]api[_ ]key|incorrect api key|\b401\b|\b403\b/i,
    "auth",
  ],
  [
    /(no|missing|provide an?) api key|api key (is )?(missing|not|invalid)|auth(entication)? (failed|error|method|type|required)/i,
    "auth",
  ],
  [/must specify the \w*API_KEY|set an auth method/i, "auth"],
  [/auth_error|no authentication|not logged in|not authenticated|please log ?in|login required|\/login\b/i, "auth"],
  [
    /model.{0,200}(does not exist|not found|not supported|not available)|unknown model|model_not_found/i,
    "model_unavailable",
  ],
  [
    /overloaded|at capacity|high demand|internal server error|server_error|api_error|\b50[0234]\b|\b529\b/i,
    "overloaded",
  ],
  [/timed? ?out|etimedout|deadline exceeded/i, "timeout"],
  [
    /\bterminated\b|econn|enotfound|eai_again|socket|fetch failed|connection (error|refused|reset|closed|lost)|network|unable to connect|other side closed/i,
    "network",
  ],
  [/content policy|safety|flagged|refus(al|ed)|blocked by/i, "refused"],
];

const byStatus: Record<string, FailureCategory> = {
  "401": "auth",
  "402": "billing",
  "403": "auth",
  "404": "model_unavailable",
  "408": "timeout",
  "429": "rate_limit",
};

/** The failure for an error text and an optional HTTP status. The text is more specific and is checked first. */
export function textFailure(message: string, status?: number): Failure {
  const category = categoryOf(message, status) ?? "unknown";
  const reason = unwrapMessage(message);
  // The code may be in the wrapper only.
  if (category === "overloaded" && (isOverloadCode(status) || isOverload(failure(category, message))))
    return overloadFailure(reason);
  return failure(category, reason || "The agent gave no reason.");
}

/** The category of an error text; `undefined` if unknown. */
export function categoryOf(message: string, status?: number): FailureCategory | undefined {
  const category = matchFirst(textPatterns, message);
  if (category || status === undefined) return category;
  return byStatus[String(status)] ?? (status >= 500 ? "overloaded" : undefined);
}

/** Whether a model's message is a provider's error that the agent printed as an answer. */
export function isProviderError(message: string): boolean {
  return /^\[API Error: [\s\S]*\]$/.test(message.trim());
}

/** Extracts the provider's message from a wrapper. */
function unwrapMessage(message: string): string {
  const inner = /^\[API Error: (.*)\]$/s.exec(message.trim())?.[1] ?? message.trim();
  const [, status = "", body = ""] = /^(\d{3})?:?\s*(\{.*\})$/s.exec(inner) ?? [];
  const document = parseFields(body);
  const inside = nonBlank(fields(document.error).message) ?? nonBlank(document.message);
  if (!inside) return inner;
  return status && !inside.includes(status) ? `${status}: ${inside}` : inside;
}

/** Whether the message means that the conversation to resume does not exist. */
export function isLost(message: string): boolean {
  return /no (saved |previous |matching )?(session|thread|conversation)s? (was )?found|(session|thread|conversation)( \S{1,80})? (was )?not found|no (session|thread) (matching|with)|error resuming session|failed to fetch session/i.test(
    message,
  );
}

const SHOWN = 300;

/** The failure of output that starts like a message and is no JSON: it was cut, so that it is not an answer in plain text. */
export function cutMessageFailure(output: string): Failure | undefined {
  if (!/^[\s\ufeff]*\{\s*"/.test(output) || Object.keys(parseFields(output)).length > 0) return undefined;
  const start = output.trim().slice(0, SHOWN);
  return failure("protocol", `The agent printed messages that Gantry cannot read, such as: ${start}`);
}
