import type { Dialect } from "../dialect.ts";
import type { State } from "../state.ts";

/** Agents send usage, the end of a tool call or the last text up to this long after the end of a turn. */
const DEFAULT_TRAIL_MS = 50;
/** Once text has followed the end of a turn, the agent is behind: the rest may come slowly. */
const LAG_MS = 1000;
/** An agent that sends more chunks than this after the end of a turn is not waited for. */
const MAX_LATE = 5000;

/** How long the end of the turn is held back; `undefined` if it is not. */
export function trailMs({ trailMs: own }: Dialect, { turn, can }: State): number | undefined {
  if (!turn?.trailing) return undefined;
  const first = typeof own === "function" ? own(can) : own;
  return Math.max(first ?? DEFAULT_TRAIL_MS, turn.late ? LAG_MS : 0);
}

/** Counts a text chunk that followed the end of the turn, which extends the wait. */
export function countLate(state: State): State {
  const { turn } = state;
  if (!turn?.trailing || (turn.late ?? 0) >= MAX_LATE) return state;
  return { ...state, turn: { ...turn, late: (turn.late ?? 0) + 1 } };
}

/**
 * Whether following output may belong to the ended turn. Not if another prompt is pending; unknown in one-sided
 * recordings.
 */
export function mayTrail(dialect: Dialect, { both, prompts }: State): boolean {
  return both === true && dialect.trailMs !== 0 && prompts.slice(1).every(({ taken }) => taken);
}
