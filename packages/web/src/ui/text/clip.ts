/** A text cut to a displayable size, with the number of lines and characters removed. */
export type Clipped = { text: string; lines: number; characters: number };

type ClipOptions = { lines: number; lineLength: number; from?: "head" | "tail" };

/** Limits a text to a number of lines from one end, and each line to a length. */
export function clip(text: string, { lines, lineLength, from = "tail" }: ClipOptions): Clipped {
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  const [start, stop] = from === "tail" ? [lineStart(text, end, lines), end] : [0, lineEnd(text, end, lines)];
  const left = countLines(text, 0, start) + countLines(text, stop, end);
  const shown = text.slice(start, stop);
  if (longestUnder(shown, lineLength)) return { text: shown, lines: left, characters: 0 };
  let characters = 0;
  const cut = shown.split("\n").map((line) => {
    if (line.length <= lineLength) return line;
    characters += line.length - lineLength;
    return `${line.slice(0, lineLength).replace(/[\ud800-\udbff]$/, "")}…`;
  });
  return { text: cut.join("\n"), lines: left, characters };
}

/** The start of the last `count` lines before `end`. */
function lineStart(text: string, end: number, count: number): number {
  let at = end;
  for (let line = 0; line < count && at >= 0; line++) at = at === 0 ? -1 : text.lastIndexOf("\n", at - 1);
  return at + 1;
}

function lineEnd(text: string, end: number, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0 || at >= end) return end;
  }
  return at;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The number of lines of a text; an empty text has none. */
export function countAllLines(text: string): number {
  return text === "" ? 0 : countLines(text, 0, text.length) + 1;
}

function longestUnder(text: string, length: number): boolean {
  if (text.length <= length) return true;
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf("\n", from);
    const end = next < 0 ? text.length : next;
    if (end - from > length) return false;
    from = end + 1;
  }
  return true;
}
