import type { ShownRow } from "./shown-rows.ts";

/** The next state of the list. `shift`: its front has changed and its end has not. `fresh`: no row is left. */
export type Step = { rows: readonly ShownRow[]; shift: boolean; fresh: boolean };

/**
 * The virtual list can follow changes at only one end at a time. Returns the next list on the way from `shown` to
 * `target`; the caller repeats until the two are equal.
 */
export function nextStep(shown: readonly ShownRow[], target: readonly ShownRow[]): Step {
  const firstKey = shown[0]?.row.key;
  if (firstKey === undefined || target.length === 0) return { rows: target, shift: false, fresh: true };
  if (target[0]?.row.key === firstKey) return { rows: target, shift: false, fresh: false };
  const indexes = new Map(target.map(({ row }, index) => [row.key, index]));
  const lastCommon = shown.findLast(({ row }) => indexes.has(row.key));
  if (!lastCommon) return { rows: target, shift: false, fresh: true };
  if (lastCommon !== shown.at(-1)) {
    // Remove the old end first, so that the rest can be shifted.
    return { rows: shown.slice(0, shown.indexOf(lastCommon) + 1), shift: false, fresh: false };
  }
  return { rows: target.slice(0, (indexes.get(lastCommon.row.key) ?? 0) + 1), shift: true, fresh: false };
}
