import type { Span } from "../code/highlight.ts";
import type { Marked } from "./pairs.ts";

/** A stretch of a line: in its colour, or marked as changed. */
export type Stretch = { text: string; color?: string; changed: boolean };

/** The colours of a line and the marks of what changed in it as one. What is marked has no colour but the mark's. */
export function overlay(text: string, spans: readonly Span[] | undefined, marked: Marked | undefined): Stretch[] {
  const coloured = spans && spans.map(([own]) => own).join("") === text ? spans : undefined;
  if (!coloured) return marked ? marked.map((part) => ({ ...part })) : [{ text, changed: false }];
  const stretches: Stretch[] = [];
  const marks = marked ?? [{ text, changed: false }];
  let [index, done] = [0, 0];
  for (const [own, light, dark] of coloured) {
    for (let from = 0; from < own.length; ) {
      const mark = marks[index];
      if (!mark) break;
      const size = Math.min(own.length - from, mark.text.length - done);
      const color = mark.changed ? undefined : `light-dark(${light}, ${dark})`;
      if (size > 0) stretches.push({ text: own.slice(from, from + size), color, changed: mark.changed });
      from += size;
      done += size;
      if (done < mark.text.length) continue;
      [index, done] = [index + 1, 0];
    }
  }
  return stretches;
}
