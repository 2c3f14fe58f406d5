import type { Shown } from "./shown.ts";

/** What the list shows next. `shift` says that its front has changed and its end has not. */
export type Step = { rows: readonly Shown[]; shift: boolean; fresh: boolean };

/**
 * The list's measurements follow changes at one end at a time. This gives the next list on the way from what is shown to
 * what is wanted; it is asked again until the two are the same. `fresh` says that nothing of the old list is left.
 */
export function nextStep(shown: readonly Shown[], wanted: readonly Shown[]): Step {
  const firstKey = shown[0]?.row.key;
  if (firstKey === undefined || wanted.length === 0) return { rows: wanted, shift: false, fresh: true };
  if (wanted[0]?.row.key === firstKey) return { rows: wanted, shift: false, fresh: false };
  const places = new Map(wanted.map(({ row }, index) => [row.key, index]));
  const lastKept = shown.findLast(({ row }) => places.has(row.key));
  if (!lastKept) return { rows: wanted, shift: false, fresh: true };
  if (lastKept !== shown.at(-1)) {
    // The old list loses its end first, so that what is left can be shifted.
    return { rows: shown.slice(0, shown.indexOf(lastKept) + 1), shift: false, fresh: false };
  }
  return { rows: wanted.slice(0, (places.get(lastKept.row.key) ?? 0) + 1), shift: true, fresh: false };
}
