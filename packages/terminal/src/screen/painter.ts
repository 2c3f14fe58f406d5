import { textWidth } from "../text/width.ts";

export type PainterOutput = { write(text: string): unknown; columns?: number; rows?: number };

/** The rows at the bottom of the terminal that change, and the position of the cursor in them. */
export type LiveRows = { rows: readonly string[]; cursor: Position };

const NOTHING: LiveRows = { rows: [], cursor: { row: 0, column: 0 } };

/**
 * Paints an append-only transcript with live rows below it. Each update is one write inside a synchronized update
 * (DEC mode 2026), to avoid flicker. Live rows must fit the width of the terminal; if the terminal became narrower since
 * they were painted, the painter erases them as the terminal has re-wrapped them.
 */
export class Painter {
  readonly #out: PainterOutput;
  #shown = NOTHING;
  #paintedColumns = 0;

  constructor(out: PainterOutput) {
    this.#out = out;
  }

  get columns(): number {
    return Math.max(20, this.#out.columns || 80);
  }

  get rows(): number {
    return Math.max(8, this.#out.rows || 24);
  }

  /** Appends lines to the transcript and paints the live rows below them. Writes nothing if nothing changed. */
  paint(lines: readonly string[], live: LiveRows = NOTHING): void {
    const isChange = lines.length === 0 && this.#canChange(live.rows.length);
    const update = isChange ? this.#change(live) : this.#redraw(lines, live);
    this.#shown = { rows: [...live.rows], cursor: live.cursor };
    this.#paintedColumns = this.columns;
    if (update !== "") this.#out.write(`\x1b[?2026h${update}\x1b[?2026l`);
  }

  /** Erases the live rows and moves the cursor to the left edge. */
  clear(): void {
    const erased = this.#erase();
    this.#shown = NOTHING;
    if (erased !== "") this.#out.write(erased);
  }

  /** Whether the rows on the screen are where they were painted, all of them reachable by the cursor. */
  #canChange(count: number): boolean {
    const isUnmoved = this.#paintedColumns === this.columns && count <= (this.#out.rows ?? Number.POSITIVE_INFINITY);
    return isUnmoved && count === this.#shown.rows.length;
  }

  #redraw(lines: readonly string[], { rows, cursor }: LiveRows): string {
    const above = lines.map((line) => `${line}\x1b[0m\r\n`).join("");
    const erased = this.#erase();
    if (rows.length === 0) return erased + above;
    return erased + above + rows.join("\r\n") + moveCursor({ row: rows.length - 1, column: 0 }, cursor);
  }

  /** Rewrites only the rows that differ. The number of rows and the width are the same as before. */
  #change({ rows, cursor }: LiveRows): string {
    let at = this.#shown.cursor;
    let update = "";
    for (const [row, text] of rows.entries()) {
      if (text === this.#shown.rows[row]) continue;
      update += `${moveCursor(at, { row, column: 0 })}\x1b[2K${text}`;
      at = { row, column: -1 };
    }
    const isSame = update === "" && at.row === cursor.row && at.column === cursor.column;
    return isSame ? "" : update + moveCursor(at, cursor);
  }

  #erase(): string {
    const { rows, cursor } = this.#shown;
    if (rows.length === 0) return "";
    const above = rows
      .slice(0, cursor.row)
      .reduce((sum, row) => sum + Math.max(1, Math.ceil(textWidth(row) / this.columns)), 0);
    return `\r${above > 0 ? `\x1b[${above}A` : ""}\x1b[J`;
  }
}

type Position = { row: number; column: number };

function moveCursor(from: Position, to: Position): string {
  const rows = to.row - from.row;
  const vertical = rows === 0 ? "" : rows < 0 ? `\x1b[${-rows}A` : `\x1b[${rows}B`;
  return `\r${vertical}${to.column > 0 ? `\x1b[${to.column}C` : ""}`;
}
