/** Reading fields of what another program wrote: what is missing or of another type is simply not there. */
export type Fields = Record<string, unknown>;

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

/** A string that says something. */
export function words(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function texts(value: unknown): string[] {
  return list(value).filter((entry) => typeof entry === "string");
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A whole number of things, never below zero. */
export function count(value: unknown): number {
  return Math.max(0, Math.round(number(value) ?? 0));
}

/** The record without a key; the same record when it has none such. */
export function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  if (!Object.hasOwn(record, key)) return record;
  const { [key]: _, ...rest } = record;
  return rest as Record<string, T>;
}

/** The record's own value under a key that a stranger chose, so that `constructor` and the like find nothing. */
export function own<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The object without keys whose value is `undefined`, so that it comes out of JSON as it went in. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}

/** The record cut to its newest entries, so that nothing an agent forgets to close makes a state grow without end. */
export function newest<T>(record: Record<string, T>, limit: number): Record<string, T> {
  const entries = Object.entries(record);
  return entries.length > limit ? Object.fromEntries(entries.slice(-limit)) : record;
}

export function firstLine(value: string, limit = 120): string {
  const line = value.trim().split("\n", 1)[0] ?? "";
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
