import { memo, type ReactNode, useMemo, useState } from "react";
import type { CodeSpan } from "../code/highlight.ts";
import { classes } from "../ui/classes.ts";
import { ExactText } from "../ui/text/exact-text.tsx";
import { foldUnchanged, type Part, toUnified } from "./fold-unchanged.ts";
import { type MarkedSpans, markChanges, type Pair, pairLines } from "./line-pairs.ts";
import type { DiffLine, Hunk } from "./parse-diff.ts";
import { styleSpans } from "./style-spans.ts";
import { useHighlightedHunk } from "./use-highlighted-hunk.ts";

export type Layout = "unified" | "split";

const MAX_CHARS = 2000;

type HunkProps = { hunk: Hunk; layout: Layout; language: string };
/** The styles of a hunk's lines: changed parts and code colors. */
export type Looks = { marks: ReadonlyMap<DiffLine, MarkedSpans>; colors: ReadonlyMap<DiffLine, readonly CodeSpan[]> };

/** One hunk with changed parts marked and unchanged parts folded. */
export const HunkView = memo(function HunkView({ hunk, layout, language }: HunkProps) {
  const pairs = useMemo(() => pairLines(hunk.lines), [hunk]);
  const marks = useMemo(() => markChanges(pairs), [pairs]);
  const looks = { marks, colors: useHighlightedHunk(hunk, language) };
  return foldUnchanged(pairs).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a hunk keep their order.
    <PartView key={index} part={part} layout={layout} looks={looks} />
  ));
});

type PartProps = { part: Part; layout: Layout; looks: Looks };

function PartView({ part, layout, looks }: PartProps) {
  const [open, setOpen] = useState(!part.folded);
  if (!open)
    return (
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="block w-full bg-page px-3 py-0.5 text-left font-sans text-2xs text-faint hover:bg-hover hover:text-ink"
      >
        {part.pairs.length} unchanged lines
      </button>
    );
  if (layout === "split")
    return part.pairs.map((pair, index) => <SplitLine key={lineKey(pair, index)} pair={pair} looks={looks} />);
  return toUnified(part.pairs).map((line) => (
    <div key={`${line.kind} ${line.old ?? ""} ${line.new ?? ""}`} className="flex">
      <Gutter number={line.old} kind={line.kind} />
      <Gutter number={line.new} kind={line.kind} />
      <LineText line={line} looks={looks} />
    </div>
  ));
}

function SplitLine({ pair, looks }: { pair: Pair; looks: Looks }) {
  return (
    <div className="grid grid-cols-2">
      <Half line={pair.left} number={pair.left?.old} looks={looks} />
      <Half line={pair.right} number={pair.right?.new} looks={looks} edge />
    </div>
  );
}

type HalfProps = { line?: DiffLine; number?: number; looks: Looks; edge?: boolean };

function Half({ line, number, looks, edge }: HalfProps) {
  return (
    <div className={classes("flex min-w-0", edge && "border-l border-line", !line && "bg-page")}>
      {line && <Gutter number={number} kind={line.kind} />}
      {line && <LineText line={line} looks={looks} />}
    </div>
  );
}

export const backgrounds = { same: "", added: "bg-added", removed: "bg-removed" } as const;
const signs = { same: " ", added: "+", removed: "−" } as const;

function Gutter({ number, kind }: { number?: number; kind: DiffLine["kind"] }) {
  return (
    <span className={classes("w-10 shrink-0 pr-2 text-right text-faint tabular-nums select-none", backgrounds[kind])}>
      {number}
    </span>
  );
}

export function LineText({ line, looks }: { line: DiffLine; looks: Looks }) {
  const ground = classes(
    "min-w-0 grow pr-3 wrap-break-word whitespace-pre-wrap [overflow-wrap:anywhere]",
    backgrounds[line.kind],
  );
  return (
    <span className={ground}>
      <span className="select-none">{signs[line.kind]} </span>
      {renderSpans(line, looks)}
    </span>
  );
}

function renderSpans(line: DiffLine, { marks, colors }: Looks): ReactNode {
  const strong = line.kind === "added" ? "rounded-xs bg-good/25" : "rounded-xs bg-bad/25";
  return styleSpans(line.text, colors.get(line), marks.get(line)).map(({ text, color, changed }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a line keep their order.
    <span key={index} className={changed ? strong : undefined} style={color ? { color } : undefined}>
      <ExactText text={text.slice(0, MAX_CHARS)} />
    </span>
  ));
}

function lineKey({ left, right }: Pair, index: number): string {
  return `${left?.old ?? ""} ${right?.new ?? ""} ${index}`;
}
