import type { Model } from "@gantry/models";
import type { Settings } from "../settings/schema.ts";

type Wanted = Pick<Settings["compaction"], "reserveTokens" | "thresholdPercent" | "thresholdTokens">;

/**
 * The number of tokens from which on a conversation is made shorter. A number wins over a percentage; without either
 * there must be room for an answer. Never under half of a window: a model that may write as much as it reads would
 * otherwise be compacted at once.
 */
export function compactionThreshold(model: Pick<Model, "contextWindow" | "maxTokens">, wanted: Wanted): number {
  const window = model.contextWindow;
  if (wanted.thresholdTokens > 0) return clamp(wanted.thresholdTokens, 1, window - 1);
  if (wanted.thresholdPercent > 0) return Math.floor((window * clamp(wanted.thresholdPercent, 1, 99)) / 100);
  const room = Math.max(Math.floor(window * 0.15), wanted.reserveTokens, model.maxTokens);
  return Math.max(window - room, Math.floor(window / 2));
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
