import type { SessionView } from "@gantry/protocol";
import type { Config } from "../config.ts";

/** A rule of the user's: a session that waits for a limit goes on with another agent. */
export type HandoffRule = Config["limits"]["handoff"][number];

/**
 * The rule that a parked session is to be handed on by now. `isHeld` says whether the next agent's account meets a limit
 * of its own: then it is no help, and a session is never handed back to where it came from while that holds.
 */
export function ruleFor(
  view: SessionView,
  rules: readonly HandoffRule[],
  now: number,
  isHeld: (rule: HandoffRule) => boolean,
): HandoffRule | undefined {
  const { limit, queue, agent } = view;
  if (!limit || limit.source === "budget" || queue.length === 0 || view.handingTo || view.autoResume === false)
    return undefined;
  const waited = (now - Date.parse(limit.since)) / 60_000;
  const due = (rule: HandoffRule) => rule.after === "reached" || waited >= rule.after;
  return rules.find((rule) => rule.from === agent && rule.to !== agent && due(rule) && !isHeld(rule));
}
