import { diffWordsWithSpace } from "diff"; // prose-ignore: name of the library
import type { DiffLine } from "./parse-diff.ts";

/** The spans of a line, and whether each of them changed. */
export type MarkedSpans = { text: string; changed: boolean }[];

/** An old line next to a new one; either may be missing. */
export type Pair = { left?: DiffLine; right?: DiffLine };

const MAX_CHARS = 400;

/** Pairs removed lines with the lines added in their place. */
export function pairLines(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (!line || line.kind === "same") {
      pairs.push({ left: line, right: line });
      at++;
      continue;
    }
    const removed = run(lines, at, "removed");
    const added = run(lines, at + removed.length, "added");
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      pairs.push({ left: removed[index], right: added[index] });
    at += removed.length + added.length;
  }
  return pairs;
}

function run(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): DiffLine[] {
  const end = lines.findIndex((line, index) => index >= from && line.kind !== kind);
  return lines.slice(from, end < 0 ? undefined : end);
}

/** Marks the changed parts of each pair. Lines with little in common are not compared. */
export function markChanges(pairs: readonly Pair[]): Map<DiffLine, MarkedSpans> {
  const marks = new Map<DiffLine, MarkedSpans>();
  for (const { left, right } of pairs) {
    if (left?.kind !== "removed" || right?.kind !== "added") continue;
    if (left.text.length > MAX_CHARS || right.text.length > MAX_CHARS) continue;
    const parts = diffWordsWithSpace(left.text, right.text); // prose-ignore: name of the library
    const common = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length), 0);
    if (common * 3 < Math.max(left.text.trim().length, right.text.trim().length)) continue;
    marks.set(left, toSpans(parts.filter((part) => !part.added)));
    marks.set(right, toSpans(parts.filter((part) => !part.removed)));
  }
  return marks;
}

function toSpans(parts: { value: string; added?: boolean; removed?: boolean }[]): MarkedSpans {
  return parts.map((part) => ({ text: part.value, changed: Boolean(part.added || part.removed) }));
}
