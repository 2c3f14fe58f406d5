import { EFFORTS, type Effort, type Model, type ThinkingLevel } from "../model.ts";

/** Tokens to think with, where a provider wants a number. */
const BUDGETS: Record<Effort, number> = {
  minimal: 1024,
  low: 4096,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 49_152,
};
/** What is left for the answer beside the thoughts. */
const ANSWER = 1024;

/** The effort that a model gets of what was asked: none, or the nearest it knows, the lesser first. */
export function effortOf(model: Model, level: ThinkingLevel): Effort | undefined {
  if (level === "off" || !model.reasoning) return undefined;
  const known = effortsOf(model);
  const wanted = EFFORTS.indexOf(level);
  return known.findLast((effort) => EFFORTS.indexOf(effort) <= wanted) ?? known[0];
}

/** The efforts that a model knows, least first. */
export function effortsOf(model: Model): Effort[] {
  const { thinking } = model;
  if (!thinking) return [...EFFORTS];
  if (thinking.levels?.length) return EFFORTS.filter((effort) => thinking.levels?.includes(effort));
  const from = EFFORTS.indexOf(thinking.minLevel);
  const to = EFFORTS.indexOf(thinking.maxLevel);
  return EFFORTS.filter((_effort, at) => at >= from && at <= to);
}

/** A budget, and a limit of tokens that leaves room for an answer beside it. */
export function budgetOf(model: Model, effort: Effort, maxTokens: number): { budget: number; maxTokens: number } {
  const room = Math.min(model.maxTokens, maxTokens + BUDGETS[effort]);
  const limit = Math.max(room, Math.min(maxTokens, model.maxTokens));
  return { budget: Math.max(ANSWER, Math.min(BUDGETS[effort], limit - ANSWER)), maxTokens: limit };
}
