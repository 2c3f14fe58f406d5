import type { ComponentProps } from "react";
import { classes } from "../classes.ts";

export type SelectOption = {
  value: string;
  label: string;
  /** Part of the option's text, also while it is closed. */
  hint?: string;
  /** Facts about the option. Shown in the open list, and for the chosen option in the tooltip. */
  facts?: { short: string; full: string };
  disabled?: boolean;
};

type SelectProps = Omit<ComponentProps<"select">, "onChange" | "value"> & {
  /** Accessible name and tooltip. */
  label: string;
  value: string;
  choices: readonly SelectOption[];
  onChoose: (value: string) => void;
};

/** A native select, because keyboards, screen readers and phones support it. */
export function Select({ label, value, choices, onChoose, className, ...more }: SelectProps) {
  const chosen = choices.find((choice) => choice.value === value) ?? choices[0];
  const hasFacts = choices.some(({ facts }) => facts);
  return (
    <select
      aria-label={label}
      title={chosen?.facts ? `${label}: ${chosen.facts.full}` : label}
      className={classes("select h-7 text-sm pointer-coarse:h-11", className)}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
      {...more}
    >
      {/* Without a button, the closed select would show the facts too. Browsers that do not support it ignore it. */}
      {hasFacts && (
        <button type="button">
          <span className="truncate">{chosen && textOf(chosen)}</span>
        </button>
      )}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled} title={choice.facts?.full}>
          {textOf(choice)}
          {choice.facts && <span className="ml-auto pl-4 text-xs text-faint tabular-nums"> {choice.facts.short}</span>}
        </option>
      ))}
    </select>
  );
}

function textOf({ label, hint }: SelectOption): string {
  return hint ? `${label} · ${hint}` : label;
}
