/** `json`: the text is itself JSON, and inserted text must be escaped for JSON. */
export type Leaf = (text: string, json: boolean) => string;

const DEEPEST = 1_000;
/** Fields whose text is JSON in the providers' formats. */
const JSON_FIELDS = new Set(["arguments", "partial_json"]);
const PICTURE_FIELDS = new Set(["data", "bytes"]);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+;base64,/;
const SHORTEST_PICTURE = 64;

export const TOO_DEEP = "[withheld: too deep to look for secrets]";

/**
 * Returns the value with every text in it mapped, keys included; pictures stay unchanged. Unchanged parts are the same
 * objects. The order of the calls of `leaf` depends only on the value. Never throws.
 */
export function mapTexts(value: unknown, leaf: Leaf): unknown {
  return mapValue(value, leaf, new Set(), "", undefined);
}

function mapValue(value: unknown, leaf: Leaf, above: Set<object>, field: string, parent: object | undefined): unknown {
  if (typeof value === "string") return isPicture(value, field, parent) ? value : leaf(value, JSON_FIELDS.has(field));
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (above.has(value) || above.size >= DEEPEST) return TOO_DEEP;
  above.add(value);
  const mapped = Array.isArray(value) ? mapList(value, leaf, above, field) : mapObject(value, leaf, above);
  above.delete(value);
  return mapped;
}

function mapList(list: readonly unknown[], leaf: Leaf, above: Set<object>, field: string): readonly unknown[] {
  let changed = false;
  const mapped = list.map((item) => {
    const next = mapValue(item, leaf, above, field, list);
    changed ||= next !== item;
    return next;
  });
  return changed ? mapped : list;
}

function mapObject(object: object, leaf: Leaf, above: Set<object>): object {
  let changed = false;
  const mapped = Object.entries(object).map(([name, item]): [string, unknown] => {
    const key = leaf(name, false);
    const next = mapValue(item, leaf, above, name, object);
    changed ||= next !== item || key !== name;
    return [key, next];
  });
  return changed ? Object.fromEntries(mapped) : object;
}

/** Base64 where the wire formats have it: in a data URL, next to its media type, or in a list `images`. */
function isPicture(text: string, field: string, parent: object | undefined): boolean {
  if (text.length < SHORTEST_PICTURE) return false;
  const url = DATA_URL.exec(text);
  if (url) return BASE64.test(text.slice(url[0].length));
  if (parent === undefined) return false;
  const placed = Array.isArray(parent)
    ? field === "images"
    : PICTURE_FIELDS.has(field) && ("mimeType" in parent || "media_type" in parent || "mime_type" in parent);
  return placed && BASE64.test(text);
}
