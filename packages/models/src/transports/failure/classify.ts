import type { ProviderFailure } from "../../messages.ts";
import { asArray, asObject, asText, type Json, parseJson } from "../json.ts";
import { saysOverflow } from "./overflow.ts";
import { redact } from "./redact.ts";
import { retryAfter } from "./retry-after.ts";

type Category = ProviderFailure["category"];

/** What is known of an answer that is none: from HTTP, from an error frame, or both. */
export type Evidence = {
  status?: number;
  headers?: Headers;
  /** The body or the frame. */
  text: string;
  /** The provider's own name for it, where the frame is not the place where it stands. */
  code?: string;
  secrets?: readonly string[];
  now?: number;
};

const LONGEST_MESSAGE = 1500;
/** A limit that lasts longer than this is used up, not full. */
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

/** Tells apart why a request came to nothing. The only place that reads the words of providers. */
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
  const covered = redact(message, secrets).trim().slice(0, LONGEST_MESSAGE);
  return {
    category,
    message:
      covered || (status ? `The provider answered ${status} without a word.` : "The provider failed without a word."),
    ...(status ? { status } : {}),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

function categoryOf(status: number | undefined, code: string, words: string, wait: number | undefined): Category {
  if (saysOverflow(words) && status !== 429 && status !== 401 && status !== 403) return "overflow";
  if (status === 413) return "overflow";
  const limited = status === 429 || RATE.test(code);
  if (status === 402 || (QUOTA.test(words) && (status === undefined || (status >= 400 && status < 500))))
    return "quota";
  if (limited) return wait !== undefined && wait > QUOTA_WAIT ? "quota" : "rate_limited";
  if (status === 401 || status === 403 || status === 407) return "auth";
  if (status === 503 || status === 529) return "overloaded";
  if (status === 408 || (status !== undefined && status >= 500)) return OVERLOADED.test(code) ? "overloaded" : "server";
  if (status !== undefined && status >= 400) {
    if (AUTH.test(code) || /api key not valid/i.test(words)) return "auth";
    return REFUSED.test(words) ? "refused" : "invalid";
  }
  return byWords(code) ?? byWords(words) ?? "unknown";
}

function byWords(words: string): Category | undefined {
  if (RATE.test(words)) return "rate_limited";
  if (AUTH.test(words)) return "auth";
  if (OVERLOADED.test(words)) return "overloaded";
  if (SERVER.test(words)) return "server";
  if (REFUSED.test(words)) return "refused";
  return INVALID.test(words) ? "invalid" : undefined;
}

/** Google sends errors as a list of one now and then. */
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
  const words = own || asText(error.type) || asText(error.code) || plainText(text);
  return raw && !words.includes(raw) ? `${words} (${raw.slice(0, 500)})` : words;
}

/** A gateway's error page has nothing to read but its title. */
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
