const MAX_PARTS = 4;
export const LONGEST_NAME = 48;

/** Letters that Unicode decomposition does not reduce to ASCII. */
const PLAIN: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

/**
 * A lane name from a prompt: its first four parts, at most 48 characters, in ASCII. Falls back to the original letters
 * when no ASCII letter is left. Deterministic.
 */
export function nameFrom(prompt: string): string {
  const parts = prompt.slice(0, 2000).split(/\s+/u);
  return joinParts(parts, slug) || joinParts(parts, ownSlug) || "lane";
}

/** The name in a form that is valid in paths and branches. */
export function slugOf(name: string): string {
  return cut(slug(name)) || cut(ownSlug(name)) || "lane";
}

/** `name`, or `name` with the first free number appended. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  if (!taken(name)) return name;
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const next = `${cut(name, LONGEST_NAME - suffix.length)}${suffix}`;
    if (!taken(next)) return next;
  }
}

function joinParts(source: readonly string[], one: (word: string) => string): string {
  const parts: string[] = [];
  for (const word of source) {
    const part = one(word);
    if (part) parts.push(part);
    if (parts.length === MAX_PARTS) break;
  }
  return cut(parts.join("-"));
}

function slug(text: string): string {
  const lower = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  const plain = lower.replace(/[^\x00-\x7f]/gu, (letter) => PLAIN[letter] ?? letter);
  // An apostrophe does not separate parts.
  return trimDashes(plain.replace(/['’]/gu, "").replace(/[^a-z0-9]+/gu, "-"));
}

function ownSlug(text: string): string {
  return trimDashes(
    text
      .normalize("NFC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-"),
  );
}

function cut(text: string, most = LONGEST_NAME): string {
  return trimDashes([...text].slice(0, most).join(""));
}

function trimDashes(text: string): string {
  return text.replace(/^-+|-+$/g, "");
}
