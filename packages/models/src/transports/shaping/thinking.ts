import type { Effort, Model, ThinkingLevel } from "../../model.ts";
import { clampLevel } from "../../registry/thinking.ts";

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

/** The effort that a model gets of what was asked, if any. */
export function effortOf(model: Model, level: ThinkingLevel): Effort | undefined {
  const clamped = clampLevel(model, level);
  return clamped === "off" ? undefined : clamped;
}

/** The least that a model thinks when it thinks. */
export function leastEffort(model: Model): Effort {
  return effortOf(model, "minimal") ?? "minimal";
}

/** A budget, and a limit of tokens that leaves room for an answer beside it. */
export function budgetOf(model: Model, effort: Effort, maxTokens: number): { budget: number; maxTokens: number } {
  const room = Math.min(model.maxTokens, maxTokens + BUDGETS[effort]);
  const limit = Math.max(room, Math.min(maxTokens, model.maxTokens));
  return { budget: Math.max(ANSWER, Math.min(BUDGETS[effort], limit - ANSWER)), maxTokens: limit };
}
