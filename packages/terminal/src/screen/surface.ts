import { truncateText } from "../text/width.ts";
import { Painter, type PainterOutput } from "./painter.ts";

/**
 * Where a transcript appears. `commit` appends lines; `live` replaces the few lines at the bottom that change.
 * `suspend` erases the live lines and holds back new lines until `resume`, so that a question can be asked.
 */
export interface Surface {
  commit(lines: readonly string[]): void;
  /** `pinned` are lines that stay visible in any case, such as messages that wait. */
  live(lines: readonly string[], pinned?: readonly string[]): void;
  suspend(): void;
  resume(): void;
  close(): void;
}

/** For pipes and files: committed lines only. */
export function plainSurface(out: PainterOutput): Surface {
  const ignore = () => {};
  return {
    commit: (lines) => {
      if (lines.length > 0) out.write(`${lines.join("\n")}\n`);
    },
    live: ignore,
    suspend: ignore,
    resume: ignore,
    close: ignore,
  };
}

/** For terminals. Cuts live lines to the width, so that they can be erased exactly. */
export function liveSurface(out: PainterOutput): Surface {
  const painter = new Painter(out);
  let live: string[] = [];
  let held: string[] = [];
  let suspended = false;
  const repaint = (lines: readonly string[]) => {
    if (live.length === 0 || suspended) return painter.paint(lines);
    const rows = live.map((line) => truncateText(line, painter.columns - 1));
    // The cursor waits below the live lines, where a shell prompts if this process is killed.
    painter.paint(lines, { rows: [...rows, ""], cursor: { row: rows.length, column: 0 } });
  };
  return {
    commit: (lines) => {
      if (suspended) held.push(...lines);
      else if (lines.length > 0) repaint(lines);
    },
    live: (lines, pinned = []) => {
      live = [...lines, ...pinned];
      if (!suspended) repaint([]);
    },
    suspend: () => {
      suspended = true;
      repaint([]);
    },
    resume: () => {
      suspended = false;
      const lines = held;
      held = [];
      repaint(lines);
    },
    close: () => {
      live = [];
      repaint([]);
    },
  };
}
