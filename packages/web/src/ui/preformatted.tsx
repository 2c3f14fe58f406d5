import type { ReactNode } from "react";
import { classes } from "./classes.ts";

/** Text in its own lines, which scrolls by itself where it is larger than its place. */
export function Preformatted({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div role="group" aria-label={label} tabIndex={0} className={classes("overflow-auto", className)}>
      <pre className="font-mono text-xs">{children}</pre>
    </div>
  );
}
