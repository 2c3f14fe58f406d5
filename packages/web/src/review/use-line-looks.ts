import { useEffect, useState } from "react";
import type { CodeSpan } from "../code/highlight.ts";
import { highlight } from "../code/highlight.ts";
import { resolveLanguage } from "../code/language-names.ts";
import type { Looks } from "../diff/diff-lines.tsx";
import { markChanges, pairLines } from "../diff/line-pairs.ts";
import type { DiffLine, Hunk } from "../diff/parse-diff.ts";

/** Longer hunks stay plain: comparing their lines would take a whole frame. */
const MAX_LINES = 400;

const marks = new WeakMap<Hunk, Looks["marks"]>();
const colors = new WeakMap<Hunk, Map<DiffLine, readonly CodeSpan[]>>();
const requests = new WeakMap<Hunk, Promise<void>>();
const PLAIN: Looks = { marks: new Map(), colors: new Map() };

/** Changed parts and code colors of a hunk, computed once for all of its rows. */
export function useLineLooks(hunk: Hunk, language: string): Looks {
  const [, render] = useState(0);
  const isShort = hunk.lines.length <= MAX_LINES;
  useEffect(() => {
    if (!isShort || colors.has(hunk)) return;
    let mounted = true;
    const request = requests.get(hunk) ?? requestColors(hunk, language);
    requests.set(hunk, request);
    void request.then(() => mounted && render((count) => count + 1));
    return () => {
      mounted = false;
    };
  }, [hunk, language, isShort]);
  if (!isShort) return PLAIN;
  const marked = marks.get(hunk) ?? markChanges(pairLines(hunk.lines));
  marks.set(hunk, marked);
  return { marks: marked, colors: colors.get(hunk) ?? PLAIN.colors };
}

async function requestColors(hunk: Hunk, language: string): Promise<void> {
  const name = resolveLanguage(language);
  const found = new Map<DiffLine, readonly CodeSpan[]>();
  if (name) {
    for (const skipped of ["added", "removed"] as const) {
      const lines = hunk.lines.filter(({ kind }) => kind !== skipped);
      const spans = await highlight(lines.map(({ text }) => text).join("\n"), name);
      for (const [index, line] of lines.entries()) if (spans?.[index]) found.set(line, spans[index]);
    }
  }
  colors.set(hunk, found);
}
