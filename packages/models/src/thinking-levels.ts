import { EFFORTS, type Effort, type Model, type ThinkingLevel } from "./model.ts";

/** Efforts of a reasoning model without further information. */
const DEFAULT_EFFORTS: readonly Effort[] = ["minimal", "low", "medium", "high"];

export const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", ...EFFORTS];

export function isThinkingLevel(text: string): text is ThinkingLevel {
  return (THINKING_LEVELS as readonly string[]).includes(text);
}

/** The levels that a model supports, from lowest to highest. A model without reasoning has only `off`. */
export function levelsOf(model: Model): readonly ThinkingLevel[] {
  return model.reasoning ? ["off", ...effortsOf(model)] : ["off"];
}

/** The effective level: the requested one, else the next higher one, else the highest. `off` stays off. */
export function clampLevel(model: Model, level: ThinkingLevel): ThinkingLevel {
  if (level === "off" || !model.reasoning) return "off";
  const efforts = effortsOf(model);
  const requested = EFFORTS.indexOf(level);
  return efforts.find((effort) => EFFORTS.indexOf(effort) >= requested) ?? efforts.at(-1) ?? "off";
}

/** The next level, wrapping around, for a key that cycles through them. */
export function nextLevel(model: Model, level: ThinkingLevel): ThinkingLevel {
  const levels = levelsOf(model);
  return levels[(levels.indexOf(clampLevel(model, level)) + 1) % levels.length] ?? "off";
}

function effortsOf({ thinking }: Model): readonly Effort[] {
  if (!thinking) return DEFAULT_EFFORTS;
  if (thinking.levels) return EFFORTS.filter((effort) => thinking.levels?.includes(effort));
  return EFFORTS.slice(EFFORTS.indexOf(thinking.minLevel), EFFORTS.indexOf(thinking.maxLevel) + 1);
}
