import type { HunkRange } from "@gantry/protocol";

/** A hunk of a patch: its numbers and its text with the header line. */
export type PatchHunk = HunkRange & { text: string };

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Splits the patch of one file. `head` is everything before the first hunk. */
export function splitHunks(patch: string): { head: string; hunks: PatchHunk[] } {
  const hunks: PatchHunk[] = [];
  let head = "";
  let expected = 0;
  for (const line of patch.split(/(?<=\n)/)) {
    const header = expected > 0 ? null : HEADER.exec(line);
    if (header) {
      const [, oldStart, oldLines = "1", newStart, newLines = "1"] = header;
      hunks.push({
        oldStart: Number(oldStart),
        oldLines: Number(oldLines),
        newStart: Number(newStart),
        newLines: Number(newLines),
        text: line,
      });
      expected = Number(oldLines) + Number(newLines);
      continue;
    }
    const hunk = hunks.at(-1);
    if (!hunk) head += line;
    else hunk.text += line;
    // Only lines of the hunk count, so that content is not mistaken for a header.
    if (hunk && !line.startsWith("\\")) expected -= /^[+-]/.test(line) ? 1 : 2;
  }
  return { head, hunks };
}

export function isSameHunk(one: HunkRange, other: HunkRange): boolean {
  return (
    one.oldStart === other.oldStart &&
    one.oldLines === other.oldLines &&
    one.newStart === other.newStart &&
    one.newLines === other.newLines
  );
}

/** The lines `first` to `last` of the old text: where they are in the new text, or that they changed. */
export type MovedRange = { changed: boolean; line: number };

/**
 * Follows a range of lines through the hunks of a diff without context. Lines that are inserted inside the range change
 * it; lines that are inserted directly before or after it do not.
 */
export function followRange(hunks: readonly HunkRange[], first: number, last: number): MovedRange {
  let shift = 0;
  for (const { oldStart, oldLines, newStart, newLines } of hunks) {
    // A pure insertion comes after line `oldStart`.
    const start = oldLines === 0 ? oldStart + 1 : oldStart;
    const end = start + oldLines - 1;
    const isInside = oldLines === 0 ? start > first && start <= last : start <= last && end >= first;
    if (isInside) return { changed: true, line: Math.max(1, newStart) };
    if (start > last) break;
    shift += newLines - oldLines;
  }
  return { changed: false, line: first + shift };
}

/** The text of the hunks that replace lines of a range of the old text. */
export function changeOf(hunks: readonly PatchHunk[], first: number, last: number): string {
  return hunks
    .filter(({ oldStart, oldLines }) => oldLines > 0 && oldStart <= last && oldStart + oldLines - 1 >= first)
    .map(({ text }) => text.slice(text.indexOf("\n") + 1))
    .join("");
}
