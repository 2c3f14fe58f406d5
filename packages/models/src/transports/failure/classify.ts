import type { ProviderFailure } from "../../messages.ts";
import { asArray, asObject, asText, type Json, parseJson } from "../json.ts";
import { isOverflow } from "./overflow.ts";
import { redact } from "./redact.ts";
import { retryAfter } from "./retry-after.ts";

type Category = ProviderFailure["category"];

/** The data of a failed response: from HTTP, from an error frame, or both. */
export type Evidence = {
  status?: number;
  headers?: Headers;
  /** The body or the frame. */
  text: string;
  /** The provider's error code, if it is not part of `text`. */
  code?: string;
  secrets?: readonly string[];
  now?: number;
};

const LONGEST_MESSAGE = 1500;
/** A rate limit with a longer wait counts as an exhausted quota. */
const QUOTA_WAIT = 30 * 60_000;

const QUOTA =
  /insufficient[_ ]?(quota|funds|balance|credit)|exceeded your current quota|credit balance|out of credits|billing|payment required|usage[_ ]limit|usage_not_included|(daily|weekly|monthly) (limit|quota|usage)|quota.{0,40}per ?day|PerDay|spend(ing)? limit|subscription/i;
const AUTH =
  /authentication|unauthenticated|unauthorized|invalid[_ ](x-)?api[_ ]?key|incorrect api key|api key (not valid|expired|is missing)|permission[_ ](error|denied)|access ?denied|expired ?token|UnrecognizedClient|InvalidSignature|invalid_grant/i;
const RATE = /rate[_ -]?limit|too many requests|throttl|resource[_ ]exhausted|tokens per minute|requests per minute/i;
const OVERLOADED = /overloaded|over capacity|at capacity|capacity|unavailable|not ?ready|slow_?down|engine_overloaded/i;
const SERVER =
  /server[_ ]error|internal[_ ]?(server)?[_ ]?(error|exception)|api_error|\bINTERNAL\b|timeout|deadline[_ ]exceeded|modelStreamError|bad gateway|upstream/i;
const REFUSED = /content[_ ]?(filter|policy|management)|safety|responsible ai|prohibited|usage policies|blocked by/i;
const INVALID = /invalid|validation|not[_ ]found|unsupported|malformed|bad request|does not exist|INVALID_ARGUMENT/i;

/** Classifies a failed request. The only place that interprets providers' error messages. */
export function classify(evidence: Evidence): ProviderFailure {
  const { text, headers, secrets = [], now } = evidence;
  const body = bodyOf(text);
  const error = asObject(body.error ?? body);
  const code = [evidence.code, asText(error.type), asText(error.code), asText(error.status), asText(body.code)]
    .filter(Boolean)
    .join(" ");
  const status = evidence.status ?? statusIn(error);
  const message = messageOf(body, error, text);
  const wait = retryAfter(headers, body, text, now);
  const category = categoryOf(status, code, `${code} ${message} ${quotaIds(error)}`, wait);
  const redacted = redact(message, secrets).trim().slice(0, LONGEST_MESSAGE);
  return {
    category,
    message:
      redacted ||
      (status ? `The provider answered ${status} without a message.` : "The provider failed without a message."),
    ...(status ? { status } : {}),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

function categoryOf(status: number | undefined, code: string, details: string, wait: number | undefined): Category {
  if (isOverflow(details) && status !== 429 && status !== 401 && status !== 403) return "overflow";
  if (status === 413) return "overflow";
  const isRateLimit = status === 429 || RATE.test(code);
  if (status === 402 || (QUOTA.test(details) && (status === undefined || (status >= 400 && status < 500))))
    return "quota";
  if (isRateLimit) return wait !== undefined && wait > QUOTA_WAIT ? "quota" : "rate_limited";
  if (status === 401 || status === 403 || status === 407) return "auth";
  if (status === 503 || status === 529) return "overloaded";
  if (status === 408 || (status !== undefined && status >= 500)) return OVERLOADED.test(code) ? "overloaded" : "server";
  if (status !== undefined && status >= 400) {
    if (AUTH.test(code) || /api key not valid/i.test(details)) return "auth";
    return REFUSED.test(details) ? "refused" : "invalid";
  }
  return categoryInText(code) ?? categoryInText(details) ?? "unknown";
}

function categoryInText(text: string): Category | undefined {
  if (RATE.test(text)) return "rate_limited";
  if (AUTH.test(text)) return "auth";
  if (OVERLOADED.test(text)) return "overloaded";
  if (SERVER.test(text)) return "server";
  if (REFUSED.test(text)) return "refused";
  return INVALID.test(text) ? "invalid" : undefined;
}

/** Google sometimes wraps an error in an array. */
function bodyOf(text: string): Json {
  const parsed = parseJson(text);
  return asObject(Array.isArray(parsed) ? parsed[0] : parsed);
}

function statusIn(error: Json): number | undefined {
  const { code, status } = error;
  const number = [code, status].find((value) => typeof value === "number" && value >= 400 && value < 600);
  return typeof number === "number" ? number : undefined;
}

function messageOf(body: Json, error: Json, text: string): string {
  const metadata = asObject(error.metadata);
  const raw = asText(metadata.raw);
  const own =
    asText(error.message) || asText(body.message) || asText(body.detail) || asText(body.error) || asText(body.Message);
  const message = own || asText(error.type) || asText(error.code) || plainText(text);
  return raw && !message.includes(raw) ? `${message} (${raw.slice(0, 500)})` : message;
}

/** Of a gateway's HTML error page, only the title is useful. */
function plainText(text: string): string {
  if (!/<html|<!doctype/i.test(text)) return text;
  return /<title>([^<]*)<\/title>/i.exec(text)?.[1] ?? "The provider answered with a web page.";
}

function quotaIds(error: Json): string {
  return asArray(error.details)
    .flatMap((detail) => asArray(asObject(detail).violations))
    .map((violation) => asText(asObject(violation).quotaId))
    .join(" ");
}
