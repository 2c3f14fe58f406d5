import { memo, useState } from "react";
import { classes } from "../../ui/classes.ts";
import { RowBody } from "../items/row-body.tsx";
import { type Row, rowSeq } from "../rows/row.ts";
import { RowActions } from "./row-actions.tsx";
import { RowBoundary } from "./row-boundary.tsx";

type RowViewProps = {
  row: Row;
  depth: number;
  under: number;
  open: boolean;
  /** The one that keys act on. */
  selected: boolean;
  /** The one that the address names. */
  marked: boolean;
};

/** One row in its place, with what can be done with it once someone points at it. */
export const RowView = memo(function RowView({ row, depth, under, open, selected, marked }: RowViewProps) {
  const [pointed, setPointed] = useState(false);
  return (
    <article
      data-row={row.kind}
      data-key={row.key}
      data-seq={rowSeq(row)}
      aria-current={selected || undefined}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      className={classes(
        "relative mx-auto w-full max-w-[56rem] border-l-2 px-6",
        marked ? "border-accent bg-accent-wash" : selected ? "border-accent" : "border-transparent",
      )}
    >
      <div
        className={classes(depth > 0 && "border-l border-line pl-3")}
        style={depth > 0 ? { marginLeft: `${Math.min(depth, 8) * 1.25 - 0.75}rem` } : undefined}
      >
        <RowBoundary row={row}>
          <RowBody row={row} open={open} under={under} />
        </RowBoundary>
      </div>
      {(pointed || selected) && row.events.length > 0 && <RowActions row={row} />}
    </article>
  );
});
