import { memo, useState } from "react";
import { classes } from "../../ui/classes.ts";
import { RowBody } from "../items/row-body.tsx";
import { formatTime } from "../items/row-time.tsx";
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

/** One row. Its actions appear in the gutter on hover and while it is selected, so they never cover content. */
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
        "transcript-column relative border-l-2 pr-10 pl-6 max-sm:pr-9 max-sm:pl-3",
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
      {row.kind === "message" && !row.open && <GutterTime at={row.events[0]?.at} />}
      {(hovered || selected) && row.events.length > 0 && <RowActions row={row} />}
    </article>
  );
});

/** When the agent sent a message: the time of day, in the gutter. */
function GutterTime({ at }: { at: string | undefined }) {
  if (at === undefined) return null;
  const time = new Date(at);
  return (
    <time
      dateTime={at}
      title={formatTime(time, new Date(0))}
      className="absolute right-1.5 bottom-0 text-2xs text-faint tabular-nums"
    >
      {formatTime(time, time)}
    </time>
  );
}
