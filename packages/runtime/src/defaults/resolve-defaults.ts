import type { DefaultSource, Defaults, Mode, ResolvedDefaults } from "@gantry/protocol";
import { BUILT_IN_MODE } from "./project-defaults.ts";

/** Where defaults come from, the first one first. */
export type DefaultsInput = {
  project: Defaults;
  user: Defaults;
  /** The agent last used in the folder, if it still exists. */
  last?: string;
  /** The agents that are ready. */
  ready: readonly string[];
};

type Settings = Pick<ResolvedDefaults, "model" | "effort" | "controls" | "sources"> & { agent?: string; mode: Mode };

/**
 * The settings of a new session. Per agent before general, project before user. Model, effort and controls of a file belong
 * to its default agent; if it names none, to every agent. Pure.
 */
export function resolveDefaults({ project, user, last, ready }: DefaultsInput, named?: string): Settings {
  const sources: ResolvedDefaults["sources"] = {};
  const found: [DefaultSource, string | undefined][] = [
    ["project", project.agent],
    ["user", user.agent],
    ["last", last],
    ["only", ready.length === 1 ? ready[0] : undefined],
  ];
  const [source, chosen] = found.find(([, agent]) => agent !== undefined) ?? [];
  const agent = named ?? chosen;
  if (named === undefined && source) sources.agent = source;
  const pick = <K extends "model" | "mode" | "effort" | "controls">(key: K): Defaults[K] => {
    for (const [from, defaults] of [["project", project] as const, ["user", user] as const]) {
      const own = agent === undefined ? undefined : Object.entries(defaults.agents ?? {}).find(([id]) => id === agent);
      const isGeneral = key === "mode" || defaults.agent === undefined || defaults.agent === agent;
      const value = own?.[1][key] ?? (isGeneral ? defaults[key] : undefined);
      if (value === undefined) continue;
      sources[key] = from;
      return value as Defaults[K];
    }
    return undefined;
  };
  const [model, mode, effort, controls] = [pick("model"), pick("mode"), pick("effort"), pick("controls")];
  return { agent, model, mode: mode ?? BUILT_IN_MODE, effort, controls, sources };
}
