import { diffWordsWithSpace } from "diff";
import type { DiffLine } from "./parse.ts";

/** Stretches of a line, and whether they are what changed in it. */
export type Marked = { text: string; changed: boolean }[];

/** A line of the old state beside one of the new; either may be missing. */
export type Pair = { left?: DiffLine; right?: DiffLine };

const LONGEST = 400;

/** The lines of a hunk side by side: what was removed beside what was added in its place. */
export function pairsOf(lines: readonly DiffLine[]): Pair[] {
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

/** Which words differ between the two lines of each pair; lines that have little in common are not compared. */
export function markWords(pairs: readonly Pair[]): Map<DiffLine, Marked> {
  const marks = new Map<DiffLine, Marked>();
  for (const { left, right } of pairs) {
    if (left?.kind !== "removed" || right?.kind !== "added") continue;
    if (left.text.length > LONGEST || right.text.length > LONGEST) continue;
    const parts = diffWordsWithSpace(left.text, right.text);
    const kept = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length), 0);
    if (kept * 3 < Math.max(left.text.trim().length, right.text.trim().length)) continue;
    marks.set(left, stretches(parts.filter((part) => !part.added)));
    marks.set(right, stretches(parts.filter((part) => !part.removed)));
  }
  return marks;
}

function stretches(parts: { value: string; added?: boolean; removed?: boolean }[]): Marked {
  return parts.map((part) => ({ text: part.value, changed: Boolean(part.added || part.removed) }));
}
