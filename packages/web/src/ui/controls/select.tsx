import type { ComponentProps } from "react";
import { classes } from "../classes.ts";

export type SelectOption = { value: string; label: string; hint?: string; disabled?: boolean };

type SelectProps = Omit<ComponentProps<"select">, "onChange" | "value"> & {
  /** Accessible name and tooltip. */
  label: string;
  value: string;
  choices: readonly SelectOption[];
  onChoose: (value: string) => void;
};

/** A native select, because keyboards, screen readers and phones support it. */
export function Select({ label, value, choices, onChoose, className, ...more }: SelectProps) {
  return (
    <select
      aria-label={label}
      title={label}
      className={classes("select h-7 text-sm", className)}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
      {...more}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled}>
          {choice.label}
          {choice.hint ? ` · ${choice.hint}` : ""}
        </option>
      ))}
    </select>
  );
}
