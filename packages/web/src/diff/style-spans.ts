import type { CodeSpan } from "../code/highlight.ts";
import type { MarkedSpans } from "./line-pairs.ts";

/** A span of a line with its color, or marked as changed. */
export type StyledSpan = { text: string; color?: string; changed: boolean };

/** Combines the code colors of a line with its change marks. Marked spans have no code color. */
export function styleSpans(
  text: string,
  spans: readonly CodeSpan[] | undefined,
  marked: MarkedSpans | undefined,
): StyledSpan[] {
  const colored = spans && spans.map(([own]) => own).join("") === text ? spans : undefined;
  if (!colored) return marked ? marked.map((part) => ({ ...part })) : [{ text, changed: false }];
  const styled: StyledSpan[] = [];
  const marks = marked ?? [{ text, changed: false }];
  let [index, done] = [0, 0];
  for (const [own, light, dark] of colored) {
    for (let from = 0; from < own.length; ) {
      const mark = marks[index];
      if (!mark) break;
      const size = Math.min(own.length - from, mark.text.length - done);
      const color = mark.changed ? undefined : `light-dark(${light}, ${dark})`;
      if (size > 0) styled.push({ text: own.slice(from, from + size), color, changed: mark.changed });
      from += size;
      done += size;
      if (done < mark.text.length) continue;
      [index, done] = [index + 1, 0];
    }
  }
  return styled;
}
