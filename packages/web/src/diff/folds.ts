import type { Pair } from "./pairs.ts";
import type { DiffLine } from "./parse.ts";

/** A stretch of pairs that is shown, or one of unchanged lines that is folded away. */
export type Part = { pairs: readonly Pair[]; folded: boolean };

/** Unchanged lines that are shown around a change; a fold is worth it only where it hides some more. */
const AROUND = 3;
const LEAST = 4;

/** Divides the lines of a hunk so that long stretches without a change can be folded. */
export function foldUnchanged(pairs: readonly Pair[]): Part[] {
  const parts: Part[] = [];
  let shown: Pair[] = [];
  for (let at = 0; at < pairs.length; ) {
    const end = runEnd(pairs, at);
    const same = isSame(pairs[at]);
    const [from, to] = [at === 0 ? 0 : at + AROUND, end === pairs.length ? end : end - AROUND];
    if (same && to - from >= LEAST) {
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

/** The lines of pairs in the order of a unified diff: of each change, what was removed before what was added. */
export function unified(pairs: readonly Pair[]): DiffLine[] {
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
