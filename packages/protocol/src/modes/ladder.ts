/** The permission modes from the most restrictive to the most permissive. */
export const ladder = ["plan", "ask", "auto-edit", "full-auto"] as const;

/** Every permission mode. `inherit` sends no mode to the agent, so the agent's own configuration applies. */
export type ModeName = (typeof ladder)[number] | "inherit";

/**
 * Whether something in the mode `limit` may use the mode `requested`. The permissions of an agent's own configuration are
 * unknown: `inherit` ranks above every mode but the last, and below it only modes that ask first are allowed.
 */
export function isModeWithin(requested: ModeName, limit: ModeName): boolean {
  if (limit === "full-auto" || requested === limit) return true;
  if (requested === "inherit") return false;
  if (limit === "inherit") return requested === "plan" || requested === "ask";
  return ladder.indexOf(requested) <= ladder.indexOf(limit);
}

/** The most permissive mode of `offered` that is not above `wanted`; `undefined` if there is none. */
export function nearestMode(wanted: ModeName, offered: readonly ModeName[]): ModeName | undefined {
  if (offered.includes(wanted)) return wanted;
  if (wanted === "inherit") return undefined;
  const rungs = ladder.slice(0, ladder.indexOf(wanted)).reverse();
  return rungs.find((rung) => offered.includes(rung));
}

/**
 * The mode in which an agent with the modes `offered` runs when `wanted` is requested: the nearest lower one, else the
 * strictest. An agent whose only mode is the most permissive one is left to its own configuration, which may ask.
 */
export function substituteMode(wanted: ModeName, offered: readonly ModeName[]): ModeName {
  const nearest = nearestMode(wanted, offered);
  if (nearest || wanted === "inherit") return nearest ?? "inherit";
  const strictest = ladder.find((rung) => offered.includes(rung));
  return strictest === undefined || strictest === "full-auto" ? "inherit" : strictest;
}

/** Whether the mode allows more than `limit`. `inherit` promises nothing, and its content is unknown. */
export function isModeAbove(mode: ModeName, limit: ModeName): boolean {
  if (mode === "inherit" || limit === "inherit") return false;
  return ladder.indexOf(mode) > ladder.indexOf(limit);
}
