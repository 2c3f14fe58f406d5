import type { Pair } from "./line-pairs.ts";
import type { DiffLine } from "./parse-diff.ts";

/** A run of lines that is shown, or a run of unchanged lines that is folded. */
export type Part = { pairs: readonly Pair[]; folded: boolean };

/** Unchanged lines shown around a change, and the minimum length of a fold. */
const CONTEXT = 3;
const MIN_FOLD = 4;

/** Splits the lines of a hunk so that long unchanged runs can be folded. */
export function foldUnchanged(pairs: readonly Pair[]): Part[] {
  const parts: Part[] = [];
  let shown: Pair[] = [];
  for (let at = 0; at < pairs.length; ) {
    const end = runEnd(pairs, at);
    const same = isSame(pairs[at]);
    const [from, to] = [at === 0 ? 0 : at + CONTEXT, end === pairs.length ? end : end - CONTEXT];
    if (same && to - from >= MIN_FOLD) {
      shown.push(...pairs.slice(at, from));
      if (shown.length > 0) parts.push({ pairs: shown, folded: false });
      parts.push({ pairs: pairs.slice(from, to), folded: true });
      shown = [...pairs.slice(to, end)];
    } else shown.push(...pairs.slice(at, end));
    at = end;
  }
  if (shown.length > 0) parts.push({ pairs: shown, folded: false });
  return parts;
}

function runEnd(pairs: readonly Pair[], from: number): number {
  const same = isSame(pairs[from]);
  let end = from + 1;
  while (end < pairs.length && isSame(pairs[end]) === same) end++;
  return end;
}

function isSame(pair: Pair | undefined): boolean {
  return pair?.left?.kind === "same";
}

/** The lines in the order of a unified diff: in each change, removed lines before added lines. */
export function toUnified(pairs: readonly Pair[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const { left, right } of pairs) {
    if (left?.kind === "same") {
      lines.push(...added, left);
      added = [];
      continue;
    }
    if (left) lines.push(left);
    if (right) added.push(right);
  }
  return [...lines, ...added];
}
