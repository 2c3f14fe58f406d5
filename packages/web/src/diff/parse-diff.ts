import type { HunkRange } from "@gantry/protocol";

/** One line of a diff. `old` and `new` are its line numbers before and after the change. */
export type DiffLine = { kind: "same" | "removed" | "added"; text: string; old?: number; new?: number };

/** Consecutive lines of a file. `range` has the numbers of its header, if it has one. */
export type Hunk = { title: string; lines: DiffLine[]; range?: HunkRange };

const HEADER = /^@@+ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@+(.*)$/;
const BETWEEN = /^(diff |index |Index: |={20}|--- |\+\+\+ )/;

/** Parses a unified diff with or without headers. Never throws: unknown lines become unchanged lines. */
export function parseDiff(diff: string): Hunk[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines.findIndex((line) => HEADER.test(line));
  const parser = new DiffParser();
  for (const line of first < 0 ? lines : lines.slice(first)) parser.addLine(line);
  return parser.hunks.filter(({ lines: own }) => own.length > 0);
}

class DiffParser {
  readonly hunks: Hunk[] = [];
  #before = 1;
  #after = 1;
  /** Lines still expected by the hunk's header, so that content is not mistaken for a header. */
  #expected = 0;
  #hasHeaders = false;

  addLine(line: string): void {
    const header = this.#expected > 0 ? null : HEADER.exec(line);
    if (header) return this.#startHunk(header);
    if (line.startsWith("\\")) return;
    if (this.#isBetween(line)) return;
    const hunk = this.hunks.at(-1) ?? this.#addHunk("");
    const text = line.slice(1);
    this.#expected -= /^[+-]/.test(line) ? 1 : 2;
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

  /** Whether a line is a file header. In a diff without headers such a line is content. */
  #isBetween(line: string): boolean {
    if (this.#expected > 0 || !BETWEEN.test(line)) return false;
    return this.#hasHeaders || this.hunks.length === 0;
  }

  #startHunk([, before, beforeCount = "1", after, afterCount = "1", title = ""]: RegExpExecArray): void {
    [this.#before, this.#after] = [Number(before), Number(after)];
    this.#hasHeaders = true;
    this.#expected = Number(beforeCount) + Number(afterCount);
    this.#addHunk(title.trim(), {
      oldStart: Number(before),
      oldLines: Number(beforeCount),
      newStart: Number(after),
      newLines: Number(afterCount),
    });
  }

  #addHunk(title: string, range?: HunkRange): Hunk {
    const hunk: Hunk = { title, lines: [], ...(range ? { range } : {}) };
    this.hunks.push(hunk);
    return hunk;
  }
}
