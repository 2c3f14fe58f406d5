import type { Model } from "@gantry/models";
import type { Settings } from "../settings/schema.ts";

type ThresholdSettings = Pick<Settings["compaction"], "reserveTokens" | "thresholdPercent" | "thresholdTokens">;

/**
 * The number of tokens above which a conversation is compacted. A token setting wins over a percentage; without either,
 * room for one answer is reserved. The default is at least half of the window, because a model whose output limit
 * equals its window would otherwise be compacted at once.
 */
export function compactionThreshold(
  model: Pick<Model, "contextWindow" | "maxTokens">,
  settings: ThresholdSettings,
): number {
  const window = model.contextWindow;
  if (settings.thresholdTokens > 0) return clamp(settings.thresholdTokens, 1, window - 1);
  if (settings.thresholdPercent > 0) return Math.floor((window * clamp(settings.thresholdPercent, 1, 99)) / 100);
  const room = Math.max(Math.floor(window * 0.15), settings.reserveTokens, model.maxTokens);
  return Math.max(window - room, Math.floor(window / 2));
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
