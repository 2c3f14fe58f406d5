import { asObject, asObjects, asText, type Json } from "../json.ts";

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A longer wait comes from a wrong clock. */
const LONGEST = 31 * 86_400_000;

/** The delay that a server requests: from its headers, its error body or its message, in this order. */
export function retryAfter(
  headers: Headers | undefined,
  body: Json,
  text: string,
  now: number = Date.now(),
): number | undefined {
  const found = fromHeaders(headers, now) ?? fromBody(body, now) ?? fromText(text);
  return found === undefined || !Number.isFinite(found) || found > LONGEST ? undefined : Math.max(0, Math.ceil(found));
}

function fromHeaders(headers: Headers | undefined, now: number): number | undefined {
  if (!headers) return undefined;
  const millis = nonNegative(headers.get("retry-after-ms"));
  if (millis !== undefined) return millis;
  const wait = headers.get("retry-after");
  if (wait) {
    const seconds = nonNegative(wait);
    if (seconds !== undefined) return seconds * 1000;
    const date = Date.parse(wait);
    if (!Number.isNaN(date)) return date - now;
  }
  const codex = nonNegative(headers.get("x-codex-primary-reset-after-seconds"));
  if (codex !== undefined && nonNegative(headers.get("x-codex-primary-used-percent")) === 100) return codex * 1000;
  return resetOfExhausted(headers, now);
}

/** Rate-limit headers come with every response; only an exhausted limit (remaining 0) determines the wait. */
function resetOfExhausted(headers: Headers, now: number): number | undefined {
  const waits: number[] = [];
  for (const [name, value] of headers) {
    const remaining = /^(.*ratelimit.*)remaining(.*)$/.exec(name);
    if (!remaining || nonNegative(value) !== 0) continue;
    const reset = headers.get(`${remaining[1]}reset${remaining[2]}`) ?? alternativeReset(headers, name);
    const wait = reset ? timeOrDuration(reset, now) : undefined;
    if (wait !== undefined) waits.push(wait);
  }
  const unified = headers.get("anthropic-ratelimit-unified-status") === "rejected";
  const reset = headers.get("anthropic-ratelimit-unified-reset");
  if (unified && reset) waits.push(timeOrDuration(reset, now) ?? 0);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** Anthropic writes `…-requests-remaining`, OpenAI `…-remaining-requests`. */
function alternativeReset(headers: Headers, name: string): string | null {
  return headers.get(name.replace("remaining", "reset"));
}

function timeOrDuration(text: string, now: number): number | undefined {
  const number = nonNegative(text);
  if (number !== undefined) {
    if (number > 1e12) return number - now;
    return number > 1e9 ? number * 1000 - now : number * 1000;
  }
  const span = parseDuration(text);
  if (span !== undefined) return span;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date - now;
}

function fromBody(body: Json, now: number): number | undefined {
  const error = asObject(body.error ?? body);
  const delay = asObjects(error.details).map((detail) => parseDuration(asText(detail.retryDelay)));
  const retryDelay = delay.find((wait) => wait !== undefined);
  if (retryDelay !== undefined) return retryDelay;
  if (typeof error.resets_in_seconds === "number") return error.resets_in_seconds * 1000;
  if (typeof error.resets_at === "number") return error.resets_at * 1000 - now;
  if (typeof error.retry_after === "number") return error.retry_after * 1000;
  return undefined;
}

const WAIT_TEXT =
  /(?:retry|try again|reset[s]?|available(?: again)?|wait)\s+(?:again\s+)?(?:in|after|for)?\s*:?\s*~?\s*((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h(?:ours?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?|d(?:ays?)?)[\s,]*)+)/i;

function fromText(text: string): number | undefined {
  const found = WAIT_TEXT.exec(text.slice(0, 4000));
  return found?.[1] ? parseDuration(found[1]) : undefined;
}

/** `6m0s`, `1.5s`, `20ms`, `2 hours 5 minutes`. */
function parseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|milli|h|m|s|d)[a-z]*/gi)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, count, unit = ""]) => {
    const short = unit.toLowerCase() === "milli" ? "ms" : unit.toLowerCase();
    return sum + Number(count) * (UNITS[short] ?? 0);
  }, 0);
}

function nonNegative(text: string | null): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const number = Number(text);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
