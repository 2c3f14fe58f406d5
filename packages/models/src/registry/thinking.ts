import { EFFORTS, type Effort, type Model, type ThinkingLevel } from "../model.ts";

/** What a model that thinks is taken to know when nobody has said. */
const USUAL: readonly Effort[] = ["minimal", "low", "medium", "high"];

export const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", ...EFFORTS];

export function isThinkingLevel(word: string): word is ThinkingLevel {
  return (THINKING_LEVELS as readonly string[]).includes(word);
}

/** The levels that a model has, from least to most; `off` is the first of all, and the only one of a model that cannot think. */
export function levelsOf(model: Model): readonly ThinkingLevel[] {
  return model.reasoning ? ["off", ...effortsOf(model)] : ["off"];
}

/** The level that the model really gets: the same, else the next above, else the most it has. `off` stays off. */
export function clampLevel(model: Model, level: ThinkingLevel): ThinkingLevel {
  if (level === "off" || !model.reasoning) return "off";
  const efforts = effortsOf(model);
  const wanted = EFFORTS.indexOf(level);
  return efforts.find((effort) => EFFORTS.indexOf(effort) >= wanted) ?? efforts.at(-1) ?? "off";
}

/** The next level in the round, for a key that goes through them. */
export function nextLevel(model: Model, level: ThinkingLevel): ThinkingLevel {
  const levels = levelsOf(model);
  return levels[(levels.indexOf(clampLevel(model, level)) + 1) % levels.length] ?? "off";
}

function effortsOf({ thinking }: Model): readonly Effort[] {
  if (!thinking) return USUAL;
  if (thinking.levels) return EFFORTS.filter((effort) => thinking.levels?.includes(effort));
  return EFFORTS.slice(EFFORTS.indexOf(thinking.minLevel), EFFORTS.indexOf(thinking.maxLevel) + 1);
}
