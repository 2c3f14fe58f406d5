import type { Model } from "@gantry/protocol";

/** Accepted for agents that list no levels: they apply the effort or ignore it. */
const COMMON_EFFORTS = ["off", "none", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * The efforts that a session with this model may have: those of the model (the default one when absent), else those of
 * any model of the agent, because some agents report levels only for the model in use.
 */
export function allowedEfforts(models: readonly Model[], model?: string): readonly string[] {
  const chosen = models.find((entry) => (model === undefined ? entry.default : entry.id === model));
  if (chosen && chosen.efforts.length > 0) return chosen.efforts;
  const all = new Set(models.flatMap(({ efforts }) => efforts));
  return all.size > 0 ? [...all] : COMMON_EFFORTS;
}
