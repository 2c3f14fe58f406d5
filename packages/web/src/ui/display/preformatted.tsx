import type { ReactNode } from "react";
import { classes } from "../classes.ts";

/** Preformatted text in a scrollable box that can be reached by keyboard. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <div role="group" aria-label={label} tabIndex={0} className={classes("overflow-auto", className)}>
      <pre className="font-mono text-xs">{children}</pre>
    </div>
  );
}
