import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";

const SGR = /^\x1b\[([0-9;]*)m$/;
const RESET = "\x1b[0m";
/** SGR parameters that end a style: all, bold and dim, italic, underline, foreground, background. */
const CLOSERS = new Set(["", "0", "22", "23", "24", "39", "49"]);
/**
 * Characters with one cell each that never join with another one of these sets: Latin, Greek, Cyrillic, punctuation,
 * currencies, arrows, mathematics, boxes and shapes, ✓ and ✗, Braille.
 */
const NARROW =
  /^[\x20-\x7e\xa0-\xac\xae-\u024f\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2190-\u22ff\u2500-\u25fc\u2713-\u2718\u2800-\u28ff]*$/;
/** The same with two cells each: Chinese, Japanese, Korean and full-width forms. */
const WIDE = /[\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]/g;
const require = createRequire(import.meta.url);
let measure: ((text: string) => number) | undefined;
let segmenter: Intl.Segmenter | undefined;

/**
 * The width of a text in terminal cells, as the toolkit measures it. Escape sequences take none. The toolkit's code is
 * loaded for the first text that needs it: loading it takes longer than most commands run.
 */
export function textWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (NARROW.test(plain)) return plain.length;
  const rest = plain.replace(WIDE, "");
  if (NARROW.test(rest)) return plain.length * 2 - rest.length;
  measure ??= loadMeasure();
  return measure(plain);
}

/** The bundle has this part of the toolkit as a file next to it. */
function loadMeasure(): (text: string) => number {
  const load = (path: string) => (require(path) as typeof import("@earendil-works/pi-tui")).visibleWidth;
  try {
    return load("./measure-text.js");
  } catch {
    return load("@earendil-works/pi-tui/dist/utils.js");
  }
}

/**
 * Makes text from an agent, a model or a file safe to print: removes escape sequences, control characters and
 * bidirectional overrides, and expands tabs. Line ends become `\n`.
 */
export function stripControls(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, "  ")
    .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "");
}

/** Cuts a text to `width` cells and marks the cut with `…`. Ends open styles. */
export function truncateText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let result = "";
  let used = 0;
  for (const token of tokenize(text)) {
    if (SGR.test(token)) {
      result += token;
      continue;
    }
    const part = takeCells(token, width - 1 - used);
    result += part;
    used += textWidth(part);
    if (part !== token) break;
  }
  return `${result}…${text.includes("\x1b[") ? RESET : ""}`;
}

/**
 * Breaks every line at spaces so that no row is wider than `width`, and inside a word only if the word is wider than a
 * row. Rows lose the spaces at the break. A style that is open at a break is closed and opened again, so that each row
 * can be printed alone.
 */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => (width < 1 || textWidth(line) <= width ? [line] : wrapLine(line, width)));
}

/** Breaks every line after `width` cells and keeps every character, so that a cursor position can be computed. */
export function breakText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    if (textWidth(line) <= width) return [line];
    const rows: string[] = [];
    for (let rest = line; rest !== ""; rest = rest.slice(rows.at(-1)?.length)) {
      rows.push(takeCells(rest, width) || firstGrapheme(rest));
    }
    return rows;
  });
}

/** Appends spaces up to `width` cells. */
export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Puts a text after a label and indents its further rows to the same column. Without a width it breaks no line. */
export function hangText(label: string, text: string, width: number | undefined): string[] {
  const indent = " ".repeat(textWidth(label));
  const rows = width === undefined ? text.split("\n") : wrapText(text, Math.max(20, width - indent.length));
  return rows.map((row, index) => (index === 0 ? label : indent) + row);
}

function wrapLine(line: string, width: number): string[] {
  const rows: string[] = [];
  let open: string[] = [];
  let row = "";
  let used = 0;
  const endRow = () => {
    rows.push(row.trimEnd() + (open.length > 0 ? RESET : ""));
    row = open.join("");
    used = 0;
  };
  for (const token of tokenize(line)) {
    const sgr = SGR.exec(token);
    if (sgr) {
      open = CLOSERS.has(sgr[1] ?? "") ? [] : [...open, token];
      row += token;
      continue;
    }
    const size = textWidth(token);
    if (used + size > width && used > 0) endRow();
    if (used + size <= width) {
      if (used > 0 || rows.length === 0 || token.trim() !== "") {
        row += token;
        used += size;
      }
      continue;
    }
    const parts = token.trim() === "" ? [] : breakText(token, width);
    for (const [index, part] of parts.entries()) {
      if (index > 0) endRow();
      row += part;
      used = textWidth(part);
    }
  }
  if (used > 0) rows.push(row);
  return rows;
}

function tokenize(line: string): string[] {
  return line.match(/\x1b\[[0-9;]*m|\s+|[^\s\x1b]+/g) ?? [];
}

/** The longest start of a plain text that fits into `width` cells. */
function takeCells(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let taken = "";
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    used += textWidth(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}

function firstGrapheme(text: string): string {
  for (const { segment } of graphemesOf(text)) return segment;
  return "";
}

function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}
