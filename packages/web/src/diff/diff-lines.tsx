import { memo, type ReactNode, useMemo, useState } from "react";
import type { Span } from "../code/highlight.ts";
import { ExactText } from "../transcript/output/exact-text.tsx";
import { classes } from "../ui/classes.ts";
import { foldUnchanged, type Part, unified } from "./folds.ts";
import { overlay } from "./overlay.ts";
import { type Marked, markWords, type Pair, pairsOf } from "./pairs.ts";
import type { DiffLine, Hunk } from "./parse.ts";
import { useColouredHunk } from "./use-coloured-hunk.ts";

export type Layout = "unified" | "split";

const LONGEST = 2000;

type HunkProps = { hunk: Hunk; layout: Layout; language: string };
/** How the lines of a hunk look: which words changed, and the colours of the code. */
type Looks = { marks: ReadonlyMap<DiffLine, Marked>; colours: ReadonlyMap<DiffLine, readonly Span[]> };

/** One hunk, with its words compared and its unchanged parts folded. */
export const HunkView = memo(function HunkView({ hunk, layout, language }: HunkProps) {
  const pairs = useMemo(() => pairsOf(hunk.lines), [hunk]);
  const marks = useMemo(() => markWords(pairs), [pairs]);
  const looks = { marks, colours: useColouredHunk(hunk, language) };
  return foldUnchanged(pairs).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a hunk keep their places.
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
  return unified(part.pairs).map((line) => (
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

const grounds = { same: "", added: "bg-added", removed: "bg-removed" } as const;
const signs = { same: " ", added: "+", removed: "−" } as const;

function Gutter({ number, kind }: { number?: number; kind: DiffLine["kind"] }) {
  return (
    <span className={classes("w-10 shrink-0 pr-2 text-right text-faint tabular-nums select-none", grounds[kind])}>
      {number}
    </span>
  );
}

function LineText({ line, looks }: { line: DiffLine; looks: Looks }) {
  const ground = classes(
    "min-w-0 grow pr-3 break-words whitespace-pre-wrap [overflow-wrap:anywhere]",
    grounds[line.kind],
  );
  return (
    <span className={ground}>
      <span className="select-none">{signs[line.kind]} </span>
      {inside(line, looks)}
    </span>
  );
}

function inside(line: DiffLine, { marks, colours }: Looks): ReactNode {
  const strong = line.kind === "added" ? "rounded-xs bg-good/25" : "rounded-xs bg-bad/25";
  return overlay(line.text, colours.get(line), marks.get(line)).map(({ text, color, changed }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: stretches of a line keep their places.
    <span key={index} className={changed ? strong : undefined} style={color ? { color } : undefined}>
      <ExactText text={text.slice(0, LONGEST)} />
    </span>
  ));
}

function lineKey({ left, right }: Pair, index: number): string {
  return `${left?.old ?? ""} ${right?.new ?? ""} ${index}`;
}
