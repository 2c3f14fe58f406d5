import { stripVTControlCharacters } from "node:util";

type Out = { write(text: string): unknown; columns?: number };

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NARROW = /^[\x20-\x7e]*$/;

/** The width of a text in terminal cells, without styles. */
export function cellsOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (NARROW.test(plain)) return plain.length;
  let cells = 0;
  for (const { segment } of new Intl.Segmenter().segment(plain)) cells += WIDE.test(segment) ? 2 : 1;
  return cells;
}

/** Text of a model or a tool without control sequences, which a terminal would execute. */
export function stripControls(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "");
}

/** Wraps a plain text into rows of a width. */
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

/** Wraps between words where possible. Rows keep all characters except trailing blanks. */
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
 * An append-only transcript with live rows below it. Each update is a single write, to avoid flicker. After a resize,
 * the rows are erased as the terminal has re-wrapped them.
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

  /** Appends lines to the transcript and draws the live rows below them. */
  draw(lines: readonly string[], live: Live): void {
    const above = lines.map((line) => `${line}\x1b[0m\r\n`).join("");
    const below = live.rows.join("\r\n");
    const up = live.rows.length - 1 - live.cursor.row;
    const place = `\r${up > 0 ? `\x1b[${up}A` : ""}${live.cursor.column > 0 ? `\x1b[${live.cursor.column}C` : ""}`;
    this.#out.write(`\x1b[?2026h${this.#erase()}${above}${below}${place}\x1b[?2026l`);
    this.#shown = live.rows;
    this.#cursorRow = live.cursor.row;
  }

  /** Erases the live rows and moves the cursor to the left edge. */
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
