const SINGLE = /[\u2018\u2019\u201A\u201B\u2032]/g;
const DOUBLE = /[\u201C\u201D\u201E\u201F\u2033]/g;
const DASH = /[\u2010-\u2015\u2212]/g;
const BLANK = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/** Replaces typographic characters with their plain keyboard equivalents. */
export function plainText(text: string): string {
  return text
    .normalize("NFC")
    .replace(SINGLE, "'")
    .replace(DOUBLE, '"')
    .replace(DASH, "-")
    .replace(BLANK, " ")
    .replace(/\u2026/g, "...");
}

/** The part of a line that counts in a search: without indentation and trailing spaces. */
export function plainLine(line: string): string {
  return plainText(line)
    .trim()
    .replace(/[ \t]+/g, " ");
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

/** Moves lines from one indentation to another; lines with less indentation stay unchanged. */
export function reindentLines(lines: readonly string[], from: string, to: string): string[] {
  if (from === to) return [...lines];
  return lines.map((line) => (line.trim() !== "" && line.startsWith(from) ? to + line.slice(from.length) : line));
}
