/** One line of a diff. `old` and `new` are its numbers in the two states of the file. */
export type DiffLine = { kind: "same" | "removed" | "added"; text: string; old?: number; new?: number };

/** Lines that follow each other in the file; what lies between two hunks is not in the diff. */
export type Hunk = { title: string; lines: DiffLine[] };

const HEADER = /^@@+ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@+(.*)$/;
const BETWEEN = /^(diff |index |Index: |={20}|--- |\+\+\+ )/;

/** Reads a unified diff, with or without its headers. Never throws: what is no diff is shown as lines that stay. */
export function parseDiff(diff: string): Hunk[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines.findIndex((line) => HEADER.test(line));
  const reader = new Reader();
  for (const line of first < 0 ? lines : lines.slice(first)) reader.read(line);
  return reader.hunks.filter(({ lines: own }) => own.length > 0);
}

class Reader {
  readonly hunks: Hunk[] = [];
  #before = 1;
  #after = 1;
  /** Lines that the hunk's header still promises, so that a line of the file is not taken for a header. */
  #promised = 0;
  #headed = false;

  read(line: string): void {
    const header = this.#promised > 0 ? null : HEADER.exec(line);
    if (header) return this.#begin(header);
    if (line.startsWith("\\")) return;
    if (this.#isBetween(line)) return;
    const hunk = this.hunks.at(-1) ?? this.#begun("");
    const text = line.slice(1);
    this.#promised -= /^[+-]/.test(line) ? 1 : 2;
    if (line.startsWith("+")) hunk.lines.push({ kind: "added", text, new: this.#after++ });
    else if (line.startsWith("-")) hunk.lines.push({ kind: "removed", text, old: this.#before++ });
    else
      hunk.lines.push({
        kind: "same",
        text: line.startsWith(" ") ? text : line,
        old: this.#before++,
        new: this.#after++,
      });
  }

  /** A line that names files. One that only looks like it may stand in a diff without headers. */
  #isBetween(line: string): boolean {
    if (this.#promised > 0 || !BETWEEN.test(line)) return false;
    return this.#headed || this.hunks.length === 0;
  }

  #begin([, before, beforeCount = "1", after, afterCount = "1", title = ""]: RegExpExecArray): void {
    [this.#before, this.#after] = [Number(before), Number(after)];
    this.#headed = true;
    this.#promised = Number(beforeCount) + Number(afterCount);
    this.#begun(title.trim());
  }

  #begun(title: string): Hunk {
    const hunk: Hunk = { title, lines: [] };
    this.hunks.push(hunk);
    return hunk;
  }
}
