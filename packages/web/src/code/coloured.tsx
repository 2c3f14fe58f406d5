import { memo } from "react";
import { ExactText } from "../transcript/output/exact-text.tsx";
import type { Span } from "./highlight.ts";

/** Lines of code in their colours, the ones of the ground that they stand on. */
export const Coloured = memo(function Coloured({ lines }: { lines: readonly Span[][] }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
    <span key={index}>
      <ColouredLine line={line} />
      {index < lines.length - 1 && "\n"}
    </span>
  ));
});

export function ColouredLine({ line }: { line: readonly Span[] }) {
  return line.map(([text, light, dark], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: stretches of a line have no other name.
    <span key={index} style={{ color: `light-dark(${light}, ${dark})` }}>
      <ExactText text={text} />
    </span>
  ));
}
