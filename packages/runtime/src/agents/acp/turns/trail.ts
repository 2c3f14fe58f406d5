import type { Dialect } from "../dialect.ts";
import type { State } from "../state.ts";

/** Agents are seen to send the tokens, the end of a tool call or a last piece of text right after the end of the turn. */
const USUAL_MS = 50;

/** How long the end of the turn is held back; `undefined` while none is. */
export function trailMs(dialect: Dialect, { turn }: State): number | undefined {
  return turn?.trailing ? (dialect.trailMs ?? USUAL_MS) : undefined;
}

/**
 * May what comes next still be of the turn that the agent has ended? With another prompt before it, it is of that; in
 * a recording of the agent's side alone nobody knows.
 */
export function mayTrail(dialect: Dialect, { both, prompts }: State): boolean {
  return both === true && dialect.trailMs !== 0 && prompts.slice(1).every(({ taken }) => taken);
}
