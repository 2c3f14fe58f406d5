import { stripVTControlCharacters } from "node:util";

let segmenter: Intl.Segmenter | undefined;
const ASCII = /^[\x20-\x7e]*$/;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
const SGR = /\x1b\[[0-9;]*m/;

/** Ranges of East Asian wide and fullwidth characters. */
const WIDE = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
] as const;

/** How many cells a text takes on a terminal; styles take none. */
export function textWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (ASCII.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemes(plain)) width += cells(segment);
  return width;
}

/**
 * Text from an agent or a file, made safe to print: no escape sequences, no control characters, tabs as spaces. Line
 * ends stay.
 */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, "  ")
    .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "");
}

/** Cuts a text to `width` cells, with `…` in place of what is gone. Styles that are open stay balanced. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let result = "";
  let used = 0;
  for (const token of tokens(text)) {
    if (SGR.test(token)) {
      result += token;
      continue;
    }
    for (const { segment } of graphemes(token)) {
      if (used + cells(segment) > width - 1) continue;
      result += segment;
      used += cells(segment);
    }
    if (used >= width - 1) break;
  }
  return `${result}…${SGR.test(text) ? "\x1b[0m" : ""}`;
}

/** Breaks one line (with or without styles) at spaces so that no row is wider than `width`. */
export function wrap(line: string, width: number): string[] {
  if (width < 1 || textWidth(line) <= width) return [line];
  const rows: string[] = [];
  let row = "";
  let used = 0;
  const finish = () => {
    rows.push(row.trimEnd());
    row = "";
    used = 0;
  };
  for (const token of tokens(line)) {
    const size = SGR.test(token) ? 0 : textWidth(token);
    if (used + size <= width) {
      row += token;
      used += size;
      continue;
    }
    if (used > 0) finish();
    if (/^\s/.test(token)) continue;
    for (const { segment } of graphemes(token)) {
      if (used + cells(segment) > width) finish();
      row += segment;
      used += cells(segment);
    }
  }
  if (row !== "") rows.push(row);
  return rows;
}

/** Fills a text up to `width` cells. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

function tokens(line: string): string[] {
  return line.match(/\x1b\[[0-9;]*m|\s+|[^\s\x1b]+/g) ?? [];
}

function cells(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  if (EMOJI.test(grapheme)) return 2;
  const point = grapheme.codePointAt(0) ?? 0;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}

/** Made on first use: it takes longer than everything else here. */
function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}
