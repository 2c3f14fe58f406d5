import type { SessionView } from "@gantry/protocol";
import type { Config } from "../config.ts";

/** A rule of the user: a session that waits for a limit continues with another agent. */
export type HandoffRule = Config["limits"]["handoff"][number];

/**
 * The rule that applies to a waiting session now. `isHeld` returns whether the next agent's account is limited too: then
 * the rule does not apply, and a session is never handed back to an agent that is still limited.
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
  const isDue = (rule: HandoffRule) => rule.after === "reached" || waited >= rule.after;
  return rules.find((rule) => rule.from === agent && rule.to !== agent && isDue(rule) && !isHeld(rule));
}
