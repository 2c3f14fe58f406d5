import fuzzysort from "fuzzysort";
import type { SelectOption } from "../controls/select.tsx";

/** One choice of a picker. */
export type PickerOption = SelectOption & {
  /** The heading above the first option of the group. */
  group?: string;
  /** Why it cannot be used yet, or further facts. Part of the option's description. */
  about?: string;
  /** Replaces the choice, such as a login that is needed first. */
  run?: () => void;
  /** Listed only if the query is not empty. */
  searchOnly?: boolean;
};

/** One list of a picker with its current value. */
export type PickerStep = {
  /** The accessible name of its combobox. */
  label: string;
  /** The name of its tab, if the label is longer. */
  tab?: string;
  value: string;
  options: readonly PickerOption[];
  onChoose: (value: string) => void;
  /** Without a combobox; it is reached by its tab. */
  folded?: boolean;
};

const LIMIT = 200;

/** The options that match the query, best match first; in their own order without one. Pure. */
export function filterOptions(options: readonly PickerOption[], query: string): PickerOption[] {
  const text = query.trim();
  if (text === "") return options.filter(({ searchOnly }) => !searchOnly);
  const keys = [
    (option: PickerOption) => option.label,
    (option: PickerOption) => option.value,
    (option: PickerOption) => option.about ?? "",
  ];
  return fuzzysort.go(text, options, { keys, limit: LIMIT, threshold: 0.3 }).map(({ obj }) => obj);
}

/** The index after a key press; `undefined` for other keys. Skips nothing: a disabled option can be read. Pure. */
export function moveIndex(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const moves: Record<string, number> = {
    ArrowDown: (at + 1) % count,
    ArrowUp: (at - 1 + count) % count,
    PageDown: Math.min(at + 8, count - 1),
    PageUp: Math.max(at - 8, 0),
  };
  return moves[key];
}

/** The text of the chosen option; a value that is not among the options stands for itself. */
export function chosenText({ value, options }: Pick<PickerStep, "value" | "options">): string {
  const chosen = options.find((option) => option.value === value);
  if (!chosen) return value || (options[0]?.label ?? "");
  return chosen.hint ? `${chosen.label} · ${chosen.hint}` : chosen.label;
}
