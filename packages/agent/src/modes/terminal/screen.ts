import { stripVTControlCharacters } from "node:util";

type Out = { write(text: string): unknown; columns?: number };

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NARROW = /^[\x20-\x7e]*$/;

/** How many cells a text takes; styles take none. */
export function cellsOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (NARROW.test(plain)) return plain.length;
  let cells = 0;
  for (const { segment } of new Intl.Segmenter().segment(plain)) cells += WIDE.test(segment) ? 2 : 1;
  return cells;
}

/** What a model or a tool said, without anything that a terminal would obey. */
export function stripControls(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "");
}

/** Cuts a plain text into rows of a width. */
export function rowsOf(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    if (cellsOf(line) <= width) return [line];
    const rows: string[] = [];
    let row = "";
    let cells = 0;
    for (const { segment } of new Intl.Segmenter().segment(line)) {
      const size = cellsOf(segment);
      if (cells + size > width) {
        rows.push(row);
        row = "";
        cells = 0;
      }
      row += segment;
      cells += size;
    }
    return [...rows, row];
  });
}

/** The same, broken between words where that is possible. Rows keep all characters but the blanks at which they end. */
export function wordRows(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    if (cellsOf(line) <= width) return [line];
    const rows: string[] = [];
    let row = "";
    for (const piece of line.split(/(?<=\s)(?=\S)/)) {
      if (row.trim() !== "" && cellsOf(row + piece.trimEnd()) > width) {
        rows.push(row.trimEnd());
        row = "";
      }
      row += piece;
      const parts = rowsOf(row, width);
      if (cellsOf(row.trimEnd()) > width) {
        rows.push(...parts.slice(0, -1));
        row = parts.at(-1) ?? "";
      }
    }
    return [...rows, row.trimEnd()];
  });
}

export type Live = { rows: string[]; cursor: { row: number; column: number } };

/**
 * A transcript that only grows, and under it a few rows that change. Everything is written at once, so that nothing
 * flickers; after a change of the width the rows that the terminal broke anew are taken away as they stand now.
 */
export class Screen {
  readonly #out: Out;
  #shown: string[] = [];
  #cursorRow = 0;

  constructor(out: Out) {
    this.#out = out;
  }

  get columns(): number {
    return Math.max(20, this.#out.columns ?? 80);
  }

  /** Prints lines for good, and the live rows under them. */
  draw(lines: readonly string[], live: Live): void {
    const above = lines.map((line) => `${line}\x1b[0m\r\n`).join("");
    const below = live.rows.join("\r\n");
    const up = live.rows.length - 1 - live.cursor.row;
    const place = `\r${up > 0 ? `\x1b[${up}A` : ""}${live.cursor.column > 0 ? `\x1b[${live.cursor.column}C` : ""}`;
    this.#out.write(`\x1b[?2026h${this.#erase()}${above}${below}${place}\x1b[?2026l`);
    this.#shown = live.rows;
    this.#cursorRow = live.cursor.row;
  }

  /** Takes the live rows away; what comes next begins at the left. */
  clear(): void {
    this.#out.write(this.#erase());
    this.#shown = [];
    this.#cursorRow = 0;
  }

  #erase(): string {
    if (this.#shown.length === 0) return "";
    const before = this.#shown.slice(0, this.#cursorRow);
    const rows = before.reduce((sum, row) => sum + Math.max(1, Math.ceil(cellsOf(row) / this.columns)), 0);
    return `\r${rows > 0 ? `\x1b[${rows}A` : ""}\x1b[J`;
  }
}
