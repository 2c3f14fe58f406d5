import type { CodeSpan } from "../code/highlight.ts";
import { useHighlight } from "../code/use-highlight.ts";
import type { DiffLine, Hunk } from "./parse-diff.ts";

/** The highlighted lines of a hunk once available. The old and the new text are highlighted separately. */
export function useHighlightedHunk(hunk: Hunk, language: string): ReadonlyMap<DiffLine, readonly CodeSpan[]> {
  const before = hunk.lines.filter((line) => line.kind !== "added");
  const after = hunk.lines.filter((line) => line.kind !== "removed");
  const old = useHighlight(textOf(before), language);
  const now = useHighlight(textOf(after), language);
  return new Map([...linesOf(before, old), ...linesOf(after, now)]);
}

function textOf(lines: readonly DiffLine[]): string {
  return lines.map((line) => line.text).join("\n");
}

function linesOf(lines: readonly DiffLine[], highlighted: CodeSpan[][] | undefined): [DiffLine, CodeSpan[]][] {
  return highlighted ? lines.map((line, index) => [line, highlighted[index] ?? []]) : [];
}
