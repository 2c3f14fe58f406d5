import type { Row } from "./row.ts";
import { isOpen, type Openness, type ShownRow } from "./shown-rows.ts";

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

/** Low estimates in pixels: rather too many rows than too few. */
const ROW_HEIGHT = 22;
const OUTPUT_HEIGHT = 36;
const LINE_HEIGHT = 18;
const CHARACTERS_PER_LINE = 160;

/** The last rows, as many as fill `height` pixels. */
export function lastRows(rows: readonly ShownRow[], openness: Openness, height: number): readonly ShownRow[] {
  let first = rows.length;
  for (let left = height; left > 0 && first > 0; left -= estimateHeight(rows[first]?.row, openness)) first--;
  return first === 0 ? rows : rows.slice(first);
}

function estimateHeight(row: Row | undefined, openness: Openness): number {
  if (row?.kind === "tool" && row.output && isOpen(row, openness)) return ROW_HEIGHT + OUTPUT_HEIGHT;
  const text = row?.kind === "message" || row?.kind === "user" ? row.text : "";
  return ROW_HEIGHT + Math.floor(text.length / CHARACTERS_PER_LINE) * LINE_HEIGHT;
}
