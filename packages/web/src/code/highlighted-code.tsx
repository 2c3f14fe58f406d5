import { memo } from "react";
import { ExactText } from "../ui/text/exact-text.tsx";
import type { CodeSpan } from "./highlight.ts";

/** Highlighted lines of code, with colors for the light and the dark theme. */
export const HighlightedCode = memo(function HighlightedCode({ lines }: { lines: readonly CodeSpan[][] }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids.
    <span key={index}>
      <HighlightedLine line={line} />
      {index < lines.length - 1 && "\n"}
    </span>
  ));
});

export function HighlightedLine({ line }: { line: readonly CodeSpan[] }) {
  return line.map(([text, light, dark], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: spans have no ids.
    <span key={index} style={{ color: `light-dark(${light}, ${dark})` }}>
      <ExactText text={text} />
    </span>
  ));
}
