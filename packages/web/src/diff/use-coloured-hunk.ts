import type { Span } from "../code/highlight.ts";
import { useColoured } from "../code/use-coloured.ts";
import type { DiffLine, Hunk } from "./parse.ts";

/** The colours of a hunk's lines, once they are there. Each of the two states of the file is read by itself. */
export function useColouredHunk(hunk: Hunk, language: string): ReadonlyMap<DiffLine, readonly Span[]> {
  const before = hunk.lines.filter((line) => line.kind !== "added");
  const after = hunk.lines.filter((line) => line.kind !== "removed");
  const old = useColoured(textOf(before), language);
  const now = useColoured(textOf(after), language);
  return new Map([...linesOf(before, old), ...linesOf(after, now)]);
}

function textOf(lines: readonly DiffLine[]): string {
  return lines.map((line) => line.text).join("\n");
}

function linesOf(lines: readonly DiffLine[], coloured: Span[][] | undefined): [DiffLine, Span[]][] {
  return coloured ? lines.map((line, index) => [line, coloured[index] ?? []]) : [];
}
