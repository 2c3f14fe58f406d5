import { asObject, type Json, parseJson } from "./json.ts";

/**
 * Parses the arguments of a tool call. For text that is not a JSON object, `invalid` has the reason and `arguments` as
 * much as could be read. Empty text means no arguments.
 */
export function parseArguments(text: string): { arguments: Json; invalid?: string } {
  if (text.trim() === "") return { arguments: {} };
  const whole = parseJson(text);
  if (typeof whole === "object" && whole !== null && !Array.isArray(whole)) return { arguments: whole as Json };
  if (whole !== undefined) return { arguments: {}, invalid: "The arguments are JSON, but not an object." };
  return { arguments: readTruncated(text), invalid: "The arguments are not valid JSON." };
}

/** Reads a truncated object. Drops an incomplete value, but keeps an incomplete string. */
export function readTruncated(text: string): Json {
  const { closers, inString, escaped, safe, safeClosers } = scan(text);
  const string = inString ? `${escaped ? text.slice(0, -1) : text}"` : text;
  const closed = parseJson(dropHalfEscape(string, inString) + closers);
  if (closed !== undefined) return asObject(closed);
  return asObject(parseJson(text.slice(0, safe) + safeClosers));
}

type Scan = { closers: string; inString: boolean; escaped: boolean; safe: number; safeClosers: string };

/** Tracks brackets and strings. `safe` is the last offset at which only closing brackets are missing. */
function scan(text: string): Scan {
  let closers = "";
  let inString = false;
  let escaped = false;
  let safe = 0;
  let safeClosers = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (inString) {
      if (escaped) escaped = false;
      else if (sign === "\\") escaped = true;
      else if (sign === '"') inString = false;
      continue;
    }
    if (sign === '"') inString = true;
    else if (sign === "{") closers = `}${closers}`;
    else if (sign === "[") closers = `]${closers}`;
    else if (sign === "}" || sign === "]") closers = closers.slice(1);
    if (sign === "{" || sign === "[" || sign === "}" || sign === "]") [safe, safeClosers] = [at + 1, closers];
    if (sign === ",") [safe, safeClosers] = [at, closers];
  }
  return { closers, inString, escaped, safe, safeClosers };
}

function dropHalfEscape(text: string, inString: boolean): string {
  return inString ? text.replace(/\\u[0-9a-fA-F]{0,3}"$/, '"') : text;
}
