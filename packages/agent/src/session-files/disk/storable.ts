import { storeBlob } from "./blobs.ts";

const LONGEST = 500_000;
const SMALLEST_BLOB = 1024;
const DEEPEST = 200;

/**
 * What of a value can stand in a line: JSON without cycles, pictures as addresses of blobs, texts cut at a length.
 * Never throws: what cannot be kept leaves a word about it in its place.
 */
export function toStorable(value: unknown, blobs: string): unknown {
  return keep(value, blobs, new Set());
}

function keep(value: unknown, blobs: string, above: Set<object>): unknown {
  if (typeof value === "string") return cut(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null)
    return typeof value === "boolean" || value === null ? value : undefined;
  if (above.has(value)) return "[circular]";
  if (above.size >= DEEPEST) return "[too deep]";
  above.add(value);
  const kept = keepObject(value, blobs, above);
  above.delete(value);
  return kept;
}

function keepObject(value: object, blobs: string, above: Set<object>): unknown {
  if (Array.isArray(value)) return value.map((item) => keep(item, blobs, above) ?? null);
  if ("toJSON" in value && typeof value.toJSON === "function") return keepOther(value, blobs, above);
  const picture = isPicture(value) ? storeBlob(blobs, value.data) : undefined;
  const pairs: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    // A picture that could not be put away stays whole: half of one is none.
    const kept = name === "data" && isPicture(value) ? (picture ?? inner) : keep(inner, blobs, above);
    if (kept !== undefined) pairs.push([name, kept]);
  }
  return Object.fromEntries(pairs);
}

function keepOther(value: object, blobs: string, above: Set<object>): unknown {
  try {
    return keep((value as { toJSON(): unknown }).toJSON(), blobs, above);
  } catch {
    return "[not readable]";
  }
}

function isPicture(value: object): value is { type: "image"; data: string } {
  const { type, data } = value as { type?: unknown; data?: unknown };
  return type === "image" && typeof data === "string" && data.length >= SMALLEST_BLOB;
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  // Half a pair would be another character.
  const end = /[\uD800-\uDBFF]/.test(text[LONGEST - 1]!) ? LONGEST - 1 : LONGEST;
  return `${text.slice(0, end)}\n[${text.length - end} more characters were not kept]`;
}
