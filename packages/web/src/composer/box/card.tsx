import type { ReactNode } from "react";
import { classes } from "../../ui/classes.ts";

/** The frame around a draft; it shows when files held above the page would go into it. */
export function Card({ over, children }: { over: boolean; children: ReactNode }) {
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
