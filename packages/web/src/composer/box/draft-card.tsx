import type { ReactNode } from "react";
import { classes } from "../../ui/classes.ts";

/** The frame around a draft. `over` highlights it while files are dragged over the page. */
export function DraftCard({ over, children }: { over: boolean; children: ReactNode }) {
  return (
    <div
      className={classes(
        "rounded-xl border bg-raised shadow-sm focus-within:border-line-strong",
        over ? "border-accent ring-2 ring-accent/30" : "border-line",
      )}
    >
      {children}
    </div>
  );
}
