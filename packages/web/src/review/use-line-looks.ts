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

/** The list must rest for this time. While it moves, neither this thread nor the highlighter works for its lines. */
const REST_MS = 120;
let scrolledAt = 0;

/** Called on every scroll of the list. */
export function noteScroll(): void {
  scrolledAt = performance.now();
}

/** Changed parts and code colors of a hunk, computed once for all of its rows when the list rests on them. */
export function useLineLooks(hunk: Hunk, language: string): Looks {
  const [, render] = useState(0);
  const isShort = hunk.lines.length <= MAX_LINES;
  useEffect(() => {
    if (!isShort || colors.has(hunk)) return;
    let mounted = true;
    const show = () => mounted && render((count) => count + 1);
    let timer = setTimeout(function look() {
      const left = scrolledAt + REST_MS - performance.now();
      if (left > 0) {
        timer = setTimeout(look, left);
        return;
      }
      if (!marks.has(hunk)) marks.set(hunk, markChanges(pairLines(hunk.lines)));
      const request = requests.get(hunk) ?? requestColors(hunk, language);
      requests.set(hunk, request);
      show();
      void request.then(show);
    });
    return () => {
      mounted = false;
      clearTimeout(timer);
    };
  }, [hunk, language, isShort]);
  const marked = marks.get(hunk);
  return marked ? { marks: marked, colors: colors.get(hunk) ?? PLAIN.colors } : PLAIN;
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
