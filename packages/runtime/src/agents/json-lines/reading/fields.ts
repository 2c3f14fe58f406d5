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

/** A whole number, for counts: agents have been seen to send fractions. */
export function count(value: unknown): number {
  return Math.max(0, Math.round(number(value) ?? 0));
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function texts(value: unknown): string[] {
  return list(value).filter((entry): entry is string => typeof entry === "string");
}

/** The record's own value for a key that another program chose: `constructor` finds nothing. */
export function own<T>(record: Record<string, T>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The record without a key; the same record when it has none such. */
export function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  if (!Object.hasOwn(record, key)) return record;
  const { [key]: _, ...rest } = record;
  return rest as Record<string, T>;
}

/** The last `limit` entries of a record, in the order in which they were added. */
export function newest<T>(record: Record<string, T>, limit: number): Record<string, T> {
  const entries = Object.entries(record);
  return entries.length <= limit ? record : Object.fromEntries(entries.slice(-limit));
}

/** The object without the keys whose value is `undefined`, so that it survives JSON as it is. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}

export function firstLine(value: string, limit = 120): string {
  const line = value.trim().split("\n", 1)[0] ?? "";
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** The object that a text holds; nothing when it is no JSON, or JSON of another kind. */
export function parsed(value: string | undefined): Fields {
  try {
    return fields(JSON.parse(value ?? ""));
  } catch {
    return {};
  }
}

/** The text of a list of content blocks, whatever else is among them. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  const said = list(content).flatMap((entry) => {
    const block = fields(entry);
    return text(block.text) ?? (words(block.type) ? `[${block.type}]` : []);
  });
  return said.length > 0 ? said.join("\n") : undefined;
}

/** A short name for a text that is almost surely its own. */
export function fingerprint(value: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193) >>> 0;
  return `${value.length}:${hash.toString(36)}`;
}
