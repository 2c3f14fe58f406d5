import type { Effort, Model, ThinkingLevel } from "../../model.ts";
import { clampLevel } from "../../thinking-levels.ts";

/** Thinking budgets in tokens, for providers that need a number. */
const BUDGETS: Record<Effort, number> = {
  minimal: 1024,
  low: 4096,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 49_152,
};
/** Tokens reserved for the response. */
const RESPONSE_TOKENS = 1024;

/** The effective effort for a requested level; `undefined` for off. */
export function effortOf(model: Model, level: ThinkingLevel): Effort | undefined {
  const clamped = clampLevel(model, level);
  return clamped === "off" ? undefined : clamped;
}

/** The lowest effort that a model supports. */
export function leastEffort(model: Model): Effort {
  return effortOf(model, "minimal") ?? "minimal";
}

/** A thinking budget, and a token limit that leaves room for the response. */
export function budgetOf(model: Model, effort: Effort, maxTokens: number): { budget: number; maxTokens: number } {
  const room = Math.min(model.maxTokens, maxTokens + BUDGETS[effort]);
  const limit = Math.max(room, Math.min(maxTokens, model.maxTokens));
  return { budget: Math.max(RESPONSE_TOKENS, Math.min(BUDGETS[effort], limit - RESPONSE_TOKENS)), maxTokens: limit };
}
