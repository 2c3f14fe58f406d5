import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

type TextFieldProps = Omit<ComponentProps<"input">, "onChange" | "value"> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
};

export const fieldLook =
  "h-7 rounded-md border border-line bg-surface px-2 text-sm text-ink placeholder:text-faint hover:border-line-strong";

/** One line of text. The label is its name for everyone; whoever shows it as well says so beside it. */
export function TextField({ label, value, onChange, className, ...more }: TextFieldProps) {
  return (
    <input
      type="text"
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classes(fieldLook, className)}
      {...more}
    />
  );
}
