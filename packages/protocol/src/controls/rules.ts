import { isModeWithin, type ModeName } from "../modes/ladder.ts";
import type { Control, ControlChanges, ControlSet, ControlValues } from "./schema.ts";

/** A requested value that does not apply, with the reason as a sentence. */
export type WithheldControl = { id: string; value: string; reason: string };

export type PermittedControls = { values: ControlValues; withheld: WithheldControl[] };

/**
 * The requested values that a mode permits. A mode is the upper limit: controls that together allow more than it are
 * withheld, all of them, and the mode's own choices apply.
 */
export function permitControls(
  set: ControlSet | undefined,
  mode: ModeName,
  requested: ControlValues,
): PermittedControls {
  const values: ControlValues = {};
  const withheld: WithheldControl[] = [];
  for (const [id, value] of Object.entries(requested)) {
    const reason = unusableReason(set, mode, id, value);
    if (reason === undefined) values[id] = value;
    else withheld.push({ id, value, reason });
  }
  const needs = set && requiredMode(set, mode, values);
  if (!set || needs === undefined || isModeWithin(needs, mode)) return { values, withheld };
  const governed = governedControls(set);
  for (const [id, value] of Object.entries(values)) {
    if (!governed.has(id)) continue;
    delete values[id];
    withheld.push({
      id,
      value,
      reason: `${labelOf(set, id)} ${value} needs the mode ${needs}, and the mode is ${mode}.`,
    });
  }
  return { values, withheld };
}

/** The lowest mode that permits these values; `undefined` if none of them concerns permissions. */
export function requiredMode(set: ControlSet, mode: ModeName, values: ControlValues): ModeName | undefined {
  const governed = governedControls(set);
  if (!Object.keys(values).some((id) => governed.has(id))) return undefined;
  const all: ControlValues = { ...choicesOfMode(set, mode), ...values };
  return matchRules(set, all);
}

/** The mode that a complete combination of choices amounts to. Closed by default: an unknown one counts as the highest. */
export function matchRules({ rules }: ControlSet, values: ControlValues): ModeName {
  const fits = (when: Record<string, string[]>) =>
    Object.entries(when).every(([id, choices]) => choices.includes(values[id] ?? ""));
  return rules.find(({ when }) => fits(when))?.needs ?? "full-auto";
}

/** The choices that a mode makes if the session makes none. */
export function choicesOfMode({ items }: ControlSet, mode: ModeName): ControlValues {
  const chosen = items.map(({ id, byMode }) => [id, byMode?.[mode]] as const);
  return Object.fromEntries(chosen.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The values after a change. `null` removes one. */
export function changeControls(values: ControlValues | undefined, changes: ControlChanges): ControlValues {
  const all = Object.entries({ ...values, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** `fast=on, sandbox=read-only`, for people. */
export function formatControls(values: ControlValues | ControlChanges): string {
  return Object.entries(values)
    .map(([id, value]) => `${id}=${value ?? "default"}`)
    .join(", ");
}

function governedControls({ rules }: ControlSet): Set<string> {
  return new Set(rules.flatMap(({ when }) => Object.keys(when)));
}

function unusableReason(set: ControlSet | undefined, mode: ModeName, id: string, value: string): string | undefined {
  const control = set?.items.find((item) => item.id === id);
  if (!control) return `The agent has no control ${id}.`;
  if (!isChoice(control, value)) return `${control.label} has no choice ${value}.`;
  if (!control.modes || control.modes.includes(mode)) return undefined;
  return `${control.label} has an effect only in the mode ${control.modes.join(" or ")}, and the mode is ${mode}.`;
}

/** Whether the control accepts the value. */
export function isChoice(control: Control, value: string): boolean {
  return control.open === true || control.choices.some(({ id }) => id === value);
}

function labelOf({ items }: ControlSet, id: string): string {
  return items.find((item) => item.id === id)?.label ?? id;
}

/** The changes that lead from one set of values to another; `null` for a value that is removed. */
export function diffControls(before: ControlValues = {}, after: ControlValues = {}): ControlChanges {
  const removed = Object.keys(before).filter((id) => after[id] === undefined);
  const set = Object.entries(after).filter(([id, value]) => before[id] !== value);
  return Object.fromEntries([...removed.map((id): [string, null] => [id, null]), ...set]);
}
