/**
 * Readers for values that another program wrote. A missing value and a value of the wrong type both read as absent, so
 * decoders never throw for what an agent printed.
 */
export type Fields = Record<string, unknown>;

/** The value as an object; an empty object when it is none. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A string with at least one character that is not white space. */
export function nonBlank(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function texts(value: unknown): string[] {
  return list(value).filter((entry) => typeof entry === "string");
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A non-negative integer. Fractions are rounded: agents have been seen to send them as counts. */
export function wholeNumber(value: unknown): number | undefined {
  const found = number(value);
  return found === undefined || found < 0 || found > Number.MAX_SAFE_INTEGER ? undefined : Math.round(found);
}

/** Like `wholeNumber`, with zero for anything that is not a count. */
export function count(value: unknown): number {
  return wholeNumber(value) ?? 0;
}

/** The JSON object in a text; empty when the text is not JSON or holds another type. */
export function parseFields(value: string | undefined): Fields {
  try {
    return fields(JSON.parse(value ?? ""));
  } catch {
    return {};
  }
}

/** The record's own value. The key comes from another program, so inherited names such as `constructor` find nothing. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A copy of the record with `key` set as an own property, whatever its name. Existing keys keep their place. */
export function put<T>(record: Record<string, T>, key: string, value: T): Record<string, T> {
  const copy = copyWithout(record);
  copy[key] = value;
  return copy;
}

/** The record without a key; the same record when the key is absent. */
export function withoutKey<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.hasOwn(record, key) ? copyWithout(record, key) : record;
}

/**
 * An object without a prototype is a hash table. An object literal would get a hidden class for every key, and keys such
 * as the ids of tool calls never repeat: with 20 open calls that takes seven times as long.
 */
function copyWithout<T>(record: Record<string, T>, key?: string): Record<string, T> {
  const copy: Record<string, T> = Object.create(null);
  for (const name in record) if (name !== key) copy[name] = record[name]!;
  return copy;
}

/** The last `limit` entries of a record, in insertion order. */
export function newestEntries<T>(record: Record<string, T>, limit: number): Record<string, T> {
  const entries = Object.entries(record);
  return entries.length > limit ? Object.fromEntries(entries.slice(-limit)) : record;
}

/**
 * The object without keys whose value is `undefined`, so that a JSON round trip returns an equal object. Returns `value`
 * itself if there are none: decoders call this several times per frame.
 */
export function compact<T extends object>(value: T): T {
  for (const key in value) if (value[key] === undefined) return copyDefined(value);
  return value;
}

function copyDefined<T extends object>(value: T): T {
  const copy = {} as T;
  for (const key in value) if (value[key] !== undefined) copy[key] = value[key];
  return copy;
}

export function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** The id of a background task for the agent's native id. */
export function taskId(native: string): string {
  return native.replace(/[^A-Za-z0-9_.:#@-]/g, "-").slice(0, 150) || "x";
}

export function firstLine(value: string, limit = 120): string {
  const text = value.trim();
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** Error texts are classified by their beginning: a pattern may need more than linear time. */
const MAX_CLASSIFIED = 10_000;

/** The value of the first pattern that the beginning of a text matches. */
export function matchFirst<T>(patterns: readonly (readonly [RegExp, T])[], value: string): T | undefined {
  const head = value.slice(0, MAX_CLASSIFIED);
  return patterns.find(([pattern]) => pattern.test(head))?.[1];
}

/** The text between two markers; `undefined` without both. Unlike a pattern, it takes linear time for any text. */
export function textBetween(value: string, open: string, close: string): string | undefined {
  const from = value.indexOf(open);
  const to = from < 0 ? -1 : value.indexOf(close, from + open.length);
  return to < 0 ? undefined : value.slice(from + open.length, to);
}

/** A value as JSON on one line, cut to `limit` characters, for messages. Accepts any value that JSON.parse returned. */
export function preview(value: unknown, limit = 120): string {
  let line: string;
  try {
    line = JSON.stringify(value) ?? "nothing";
  } catch {
    line = "a deeply nested value";
  }
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** A short non-cryptographic hash (FNV-1a and the length) to detect a changed text. */
export function fingerprint(value: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193) >>> 0;
  return `${value.length}:${hash.toString(36)}`;
}
