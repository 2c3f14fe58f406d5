import { type CSSProperties, memo, type ReactNode, useMemo } from "react";
import { ExactText } from "../../ui/text/exact-text.tsx";
import { SafeLink } from "../markdown/link.tsx";
import { parseAnsi, type Span, type Style } from "./ansi.ts";
import { splitUrls } from "./split-urls.ts";

/** A program's output with its colors, and with web addresses as links. */
export const Output = memo(function Output({ text }: { text: string }) {
  const spans = useMemo(() => parseAnsi(text), [text]);
  return spans.map((span, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: spans have no ids.
    <SpanView key={index} span={span} />
  ));
});

function SpanView({ span: { text, style } }: { span: Span }): ReactNode {
  const parts = splitUrls(text).map((part, index) =>
    "url" in part ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a span have no ids.
      <SafeLink key={index} href={part.url} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a span have no ids.
      <ExactText key={index} text={part.text} />
    ),
  );
  return Object.keys(style).length === 0 ? parts : <span style={cssOf(style)}>{parts}</span>;
}

function cssOf({ color, background, bold, dim, italic, underline, inverse }: Style): CSSProperties {
  const back = inverse ? (color ?? "ink") : background;
  // Text on a colored background uses the page's color, because the program chose for another palette.
  const front = back === undefined ? color : "surface";
  return {
    color: cssColor(front),
    backgroundColor: cssColor(back),
    fontWeight: bold ? 600 : undefined,
    opacity: dim ? 0.7 : undefined,
    fontStyle: italic ? "italic" : undefined,
    textDecoration: underline ? "underline" : undefined,
  };
}

function cssColor(value: number | string | undefined): string | undefined {
  if (value === "surface" || value === "ink") return `var(--color-${value})`;
  return typeof value === "number" ? PALETTE[value] : value;
}

/** The sixteen terminal colors, readable in both themes. */
const PALETTE = [
  "light-dark(#1d1c1a, #8a867e)",
  "light-dark(#b3261e, #f28b82)",
  "light-dark(#1b6e3c, #67c48b)",
  "light-dark(#805500, #e0b25a)",
  "light-dark(#2b56c6, #8eabff)",
  "light-dark(#8a2d8f, #dc9be0)",
  "light-dark(#0f6a75, #6cc5d1)",
  "light-dark(#55524c, #d5d2cc)",
  "light-dark(#6b6861, #a39f97)",
  "light-dark(#c0322a, #ff9d94)",
  "light-dark(#217a45, #7dd6a0)",
  "light-dark(#8d5f00, #f0c46c)",
  "light-dark(#3a63d0, #a3bbff)",
  "light-dark(#9a3a9f, #e9b0ec)",
  "light-dark(#157783, #83d6e1)",
  "light-dark(#3a3833, #f4f2ee)",
];
