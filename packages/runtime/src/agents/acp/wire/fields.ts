/** Reading fields of a message that another program wrote: what is missing or of another type is simply not there. */
export type Fields = Record<string, unknown>;

export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A string that says something. */
export function words(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A whole number from zero up, for counts. */
export function count(value: unknown): number | undefined {
  const found = number(value);
  return found === undefined || found < 0 || found > Number.MAX_SAFE_INTEGER ? undefined : Math.round(found);
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The record's own value for a key that another program chose: `constructor` finds nothing. */
export function at<T>(record: Record<string, T>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The record with a key set, as its own property whatever its name. */
export function put<T>(record: Record<string, T>, key: string, value: T): Record<string, T> {
  return Object.fromEntries([...Object.entries(record).filter(([name]) => name !== key), [key, value]]);
}

/** The record without a key; the same record when it has none such. */
export function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  if (!Object.hasOwn(record, key)) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

/** The object without the keys whose value is `undefined`, so that it survives JSON as it is. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}

export function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

export function firstLine(value: string, limit = 120): string {
  const line = value.trim().split("\n", 1)[0] ?? "";
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** A short name for a text that is almost surely its own. */
export function fingerprint(value: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193) >>> 0;
  return `${value.length}:${hash.toString(36)}`;
}
