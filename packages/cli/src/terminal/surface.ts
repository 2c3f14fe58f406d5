import { truncate } from "./width.ts";

/**
 * Where a transcript appears. `commit` prints lines for good; `live` replaces the few lines at the bottom that change.
 * `suspend` takes the live lines away and holds back new ones until `resume`, so that a question can be asked.
 */
export interface Surface {
  commit(lines: readonly string[]): void;
  live(lines: readonly string[]): void;
  suspend(): void;
  resume(): void;
  close(): void;
}

type Sink = { write(text: string): unknown };

/** For pipes and files: only what is final. */
export function plainSurface(out: Sink): Surface {
  const nothing = () => {};
  return {
    commit: (lines) => {
      if (lines.length > 0) out.write(`${lines.join("\n")}\n`);
    },
    live: nothing,
    suspend: nothing,
    resume: nothing,
    close: nothing,
  };
}

/** For terminals. Live lines are cut to the width, so that taking them away again is exact. */
export function liveSurface(out: Sink, columns: () => number): Surface {
  let shown: string[] = [];
  let wanted: string[] = [];
  let held: string[] = [];
  let suspended = false;

  const erase = () => (shown.length === 0 ? "" : `\r\x1b[${shown.length}A\x1b[J`);
  const draw = () => {
    shown = suspended ? [] : wanted.map((line) => truncate(line, columns() - 1));
    return shown.map((line) => `${line}\n`).join("");
  };
  const repaint = (above: string) => {
    const text = erase() + above + draw();
    if (text !== "") out.write(text);
  };
  return {
    commit: (lines) => {
      if (suspended) held.push(...lines);
      else if (lines.length > 0) repaint(lines.map((line) => `${line}\n`).join(""));
    },
    live: (lines) => {
      if (lines.length === wanted.length && lines.every((line, index) => line === wanted[index])) return;
      wanted = [...lines];
      if (!suspended) repaint("");
    },
    suspend: () => {
      suspended = true;
      repaint("");
    },
    resume: () => {
      suspended = false;
      const above = held.map((line) => `${line}\n`).join("");
      held = [];
      repaint(above);
    },
    close: () => {
      wanted = [];
      repaint("");
    },
  };
}
