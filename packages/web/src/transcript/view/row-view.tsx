import { memo, useState } from "react";
import { classes } from "../../ui/classes.ts";
import { RowBody } from "../items/row-body.tsx";
import { type Row, rowSeq } from "../rows/row.ts";
import { RowActions } from "./row-actions.tsx";
import { RowBoundary } from "./row-boundary.tsx";

type RowViewProps = {
  row: Row;
  depth: number;
  childCount: number;
  open: boolean;
  /** Whether keyboard shortcuts act on this row. */
  selected: boolean;
  /** Whether the address points to this row. */
  marked: boolean;
};

/** One row. Its toolbar appears on hover and while it is selected. */
export const RowView = memo(function RowView({ row, depth, childCount, open, selected, marked }: RowViewProps) {
  const [hovered, setHovered] = useState(false);
  return (
    <article
      data-row={row.kind}
      data-key={row.key}
      data-seq={rowSeq(row)}
      aria-current={selected || undefined}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
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
          <RowBody row={row} open={open} childCount={childCount} />
        </RowBoundary>
      </div>
      {(hovered || selected) && row.events.length > 0 && <RowActions row={row} />}
    </article>
  );
});
