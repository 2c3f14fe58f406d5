import { storeBlob } from "./blobs.ts";

const LONGEST = 500_000;
const SMALLEST_BLOB = 1024;
const DEEPEST = 200;

/**
 * The storable form of a value: JSON without cycles, images as blob addresses, long texts cut. Never throws: a value
 * that cannot be stored is replaced by a note.
 */
export function toStorable(value: unknown, blobs: string): unknown {
  return convert(value, blobs, new Set());
}

function convert(value: unknown, blobs: string, above: Set<object>): unknown {
  if (typeof value === "string") return cut(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null)
    return typeof value === "boolean" || value === null ? value : undefined;
  if (above.has(value)) return "[circular]";
  if (above.size >= DEEPEST) return "[too deep]";
  above.add(value);
  const converted = convertObject(value, blobs, above);
  above.delete(value);
  return converted;
}

function convertObject(value: object, blobs: string, above: Set<object>): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(item, blobs, above) ?? null);
  if ("toJSON" in value && typeof value.toJSON === "function") return convertWithToJson(value, blobs, above);
  const address = isImage(value) ? storeBlob(blobs, value.data) : undefined;
  const pairs: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    // An image that could not be stored as a blob stays complete, because a cut image is useless.
    const converted = name === "data" && isImage(value) ? (address ?? inner) : convert(inner, blobs, above);
    if (converted !== undefined) pairs.push([name, converted]);
  }
  return Object.fromEntries(pairs);
}

function convertWithToJson(value: object, blobs: string, above: Set<object>): unknown {
  try {
    return convert((value as { toJSON(): unknown }).toJSON(), blobs, above);
  } catch {
    return "[not readable]";
  }
}

function isImage(value: object): value is { type: "image"; data: string } {
  const { type, data } = value as { type?: unknown; data?: unknown };
  return type === "image" && typeof data === "string" && data.length >= SMALLEST_BLOB;
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  // Does not split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text[LONGEST - 1]!) ? LONGEST - 1 : LONGEST;
  return `${text.slice(0, end)}\n[${text.length - end} more characters were not stored]`;
}
