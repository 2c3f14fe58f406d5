import type { HunkRange } from "@gantry/protocol";

/**
 * The old text with some of the changes that lead to the new text. `hunks` come from a diff of both without context, in
 * its order. Lines keep their ends, so that a missing newline at the end of a file is exact.
 */
export function spliceHunks(oldText: string, newText: string, hunks: readonly HunkRange[]): string {
  const before = splitLines(oldText);
  const after = splitLines(newText);
  const parts: string[] = [];
  let at = 0;
  for (const { oldStart, oldLines, newStart, newLines } of hunks) {
    // A pure insertion comes after line `oldStart`.
    const start = oldLines === 0 ? oldStart : oldStart - 1;
    parts.push(...before.slice(at, start));
    if (newLines > 0) parts.push(...after.slice(newStart - 1, newStart - 1 + newLines));
    at = start + oldLines;
  }
  return [...parts, ...before.slice(at)].join("");
}

/** Whether a hunk changes lines of the new text that a requested hunk shows. Deleted lines count at the place between lines. */
export function touchesHunk(hunk: HunkRange, shown: HunkRange): boolean {
  const first = shown.newLines === 0 ? shown.newStart : shown.newStart - 1;
  const last = shown.newStart + shown.newLines - 1;
  if (hunk.newLines === 0) return hunk.newStart >= first && hunk.newStart <= Math.max(first, last);
  return hunk.newStart <= last && hunk.newStart + hunk.newLines - 1 > first;
}

function splitLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}
