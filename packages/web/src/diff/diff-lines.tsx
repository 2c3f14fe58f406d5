import { memo, type ReactNode, useState } from "react";
import { Exact } from "../transcript/output/exact.tsx";
import { classes } from "../ui/classes.ts";
import { foldUnchanged, type Part, unified } from "./folds.ts";
import { type Marked, markWords, type Pair, pairsOf } from "./pairs.ts";
import type { DiffLine, Hunk } from "./parse.ts";

export type Layout = "unified" | "split";

/** One hunk, with its words compared and its unchanged parts folded. */
export const HunkView = memo(function HunkView({ hunk, layout }: { hunk: Hunk; layout: Layout }) {
  const pairs = pairsOf(hunk.lines);
  const marks = markWords(pairs);
  return foldUnchanged(pairs).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a hunk keep their places.
    <PartView key={index} part={part} layout={layout} marks={marks} />
  ));
});

type PartProps = { part: Part; layout: Layout; marks: ReadonlyMap<DiffLine, Marked> };

function PartView({ part, layout, marks }: PartProps) {
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
    return part.pairs.map((pair, index) => <SplitLine key={lineKey(pair, index)} pair={pair} marks={marks} />);
  return unified(part.pairs).map((line) => (
    <div key={`${line.kind} ${line.old ?? ""} ${line.new ?? ""}`} className="flex">
      <Gutter number={line.old} kind={line.kind} />
      <Gutter number={line.new} kind={line.kind} />
      <LineText line={line} marks={marks} />
    </div>
  ));
}

function SplitLine({ pair, marks }: { pair: Pair; marks: ReadonlyMap<DiffLine, Marked> }) {
  return (
    <div className="grid grid-cols-2">
      <Half line={pair.left} number={pair.left?.old} marks={marks} />
      <Half line={pair.right} number={pair.right?.new} marks={marks} edge />
    </div>
  );
}

type HalfProps = { line?: DiffLine; number?: number; marks: ReadonlyMap<DiffLine, Marked>; edge?: boolean };

function Half({ line, number, marks, edge }: HalfProps) {
  return (
    <div className={classes("flex min-w-0", edge && "border-l border-line", !line && "bg-page")}>
      {line && <Gutter number={number} kind={line.kind} />}
      {line && <LineText line={line} marks={marks} />}
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

function LineText({ line, marks }: { line: DiffLine; marks: ReadonlyMap<DiffLine, Marked> }) {
  const ground = classes(
    "min-w-0 grow pr-3 break-words whitespace-pre-wrap [overflow-wrap:anywhere]",
    grounds[line.kind],
  );
  return (
    <span className={ground}>
      <span className="select-none">{signs[line.kind]} </span>
      {inside(line, marks.get(line))}
    </span>
  );
}

function inside(line: DiffLine, marked: Marked | undefined): ReactNode {
  if (!marked) return <Exact text={line.text.slice(0, 2000)} />;
  const strong = line.kind === "added" ? "bg-good/25" : "bg-bad/25";
  return marked.map(({ text, changed }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: stretches of a line keep their places.
    <span key={index} className={changed ? classes("rounded-xs", strong) : undefined}>
      <Exact text={text} />
    </span>
  ));
}

function lineKey({ left, right }: Pair, index: number): string {
  return `${left?.old ?? ""} ${right?.new ?? ""} ${index}`;
}
