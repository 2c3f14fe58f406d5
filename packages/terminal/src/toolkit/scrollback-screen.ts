import type { Terminal } from "@earendil-works/pi-tui";
import { TuiBase } from "@earendil-works/pi-tui/dist/tui.js";
import { Painter } from "../screen/painter.ts";
import { truncateText } from "../text/width.ts";

/**
 * A toolkit screen below an append-only transcript. Committed rows go to the terminal's scrollback once and are never drawn
 * again, also not after a resize; the toolkit's own main screen redraws all of them. The components are the live rows.
 */
export class ScrollbackScreen extends TuiBase {
  readonly mode = "regular";
  readonly #painter: Painter;
  #committed: string[] = [];
  #isPaused = false;

  constructor(terminal: Terminal) {
    super(terminal, true);
    this.#painter = new Painter({
      write: (text) => terminal.write(text),
      get columns() {
        return terminal.columns;
      },
      get rows() {
        return terminal.rows;
      },
    });
  }

  get columns(): number {
    return this.#painter.columns;
  }

  get rows(): number {
    return this.#painter.rows;
  }

  /** Appends rows to the transcript with the next frame. */
  commit(rows: readonly string[]): void {
    if (rows.length === 0) return;
    this.#committed.push(...rows);
    this.requestRender();
  }

  /** Erases the live rows and holds back committed ones, while another program or prompt has the terminal. */
  pause(): void {
    this.renderNow();
    this.#isPaused = true;
    this.#painter.clear();
    super.stop();
  }

  resume(): void {
    this.#isPaused = false;
    super.start();
    this.renderNow(true);
  }

  /** Paints what is committed, erases the live rows and gives the terminal back. */
  override stop(): void {
    if (this.stopped) return;
    if (!this.#isPaused) this.#painter.paint(this.#takeCommitted());
    super.stop();
  }

  protected override doRender(): void {
    if (this.stopped || this.#isPaused) return;
    // A row of the full width would leave the cursor in a pending wrap.
    const width = Math.max(20, this.terminal.columns - 1);
    const rows = this.render(width);
    const cursor = this.extractCursorPosition(rows, rows.length);
    const visible = rows.slice(-Math.max(1, this.terminal.rows - 1)).map((row) => truncateText(row, width));
    const hidden = rows.length - visible.length;
    const last = { row: Math.max(0, visible.length - 1), column: 0 };
    const place = cursor && cursor.row >= hidden ? { row: cursor.row - hidden, column: cursor.col } : last;
    this.#painter.paint(this.#takeCommitted(), { rows: visible, cursor: place });
  }

  #takeCommitted(): string[] {
    const rows = this.#committed;
    this.#committed = [];
    return rows;
  }
}
