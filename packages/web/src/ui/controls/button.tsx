import type { ComponentProps, ReactNode } from "react";
import { classes } from "../classes.ts";
import { Keys } from "./keys.tsx";

const looks = {
  primary: "bg-accent-fill text-on-accent border-transparent hover:brightness-110",
  plain: "bg-surface text-ink border-line hover:bg-hover",
  quiet: "bg-transparent text-soft border-transparent hover:bg-hover hover:text-ink",
  danger: "bg-bad-fill text-on-accent border-transparent hover:brightness-110",
} as const;

export type ButtonProps = ComponentProps<"button"> & {
  look?: keyof typeof looks;
  icon?: ReactNode;
  /** The keyboard shortcut, shown next to the text. Not part of the accessible name. */
  keys?: string;
  /** Accessible name and tooltip of a button that shows only an icon. */
  label?: string;
};

export function Button({ look = "plain", icon, keys, label, className, children, ...more }: ButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classes(
        "inline-flex h-7 shrink-0 items-center pointer-coarse:min-h-11 pointer-coarse:min-w-11 justify-center gap-1.5 rounded-md border text-sm font-medium whitespace-nowrap",
        "transition-colors disabled:pointer-events-none disabled:opacity-50",
        label && !children ? "w-7" : "px-2.5",
        looks[look],
        className,
      )}
      {...more}
    >
      {icon}
      {children}
      {keys && <Keys keys={keys} />}
    </button>
  );
}
