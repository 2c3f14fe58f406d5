import type { Dialect } from "../dialect.ts";
import type { State } from "../state.ts";

/** Agents send usage, the end of a tool call or the last text up to this long after the end of a turn. */
const DEFAULT_TRAIL_MS = 50;

/** How long the end of the turn is held back; `undefined` if it is not. */
export function trailMs(dialect: Dialect, { turn }: State): number | undefined {
  return turn?.trailing ? (dialect.trailMs ?? DEFAULT_TRAIL_MS) : undefined;
}

/**
 * Whether following output may belong to the ended turn. Not if another prompt is pending; unknown in one-sided
 * recordings.
 */
export function mayTrail(dialect: Dialect, { both, prompts }: State): boolean {
  return both === true && dialect.trailMs !== 0 && prompts.slice(1).every(({ taken }) => taken);
}
