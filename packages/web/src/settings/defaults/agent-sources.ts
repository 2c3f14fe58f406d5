import type { ChangeDefaults, Defaults, ResolvedDefaults } from "@gantry/protocol";

type Setting = keyof ResolvedDefaults["sources"];

/** The agents that either file sets defaults for. */
export function agentsWithDefaults(user: Defaults, project: Defaults): string[] {
  const entries = [...Object.entries(project.agents ?? {}), ...Object.entries(user.agents ?? {})];
  const ids = entries.filter(([, own]) => removalOf(own) !== undefined).map(([id]) => id);
  return [...new Set(ids)];
}

/** Where the value of a setting comes from, for a new session with the agent. */
export function sourceText(resolved: ResolvedDefaults, agent: string, setting: Setting, control?: string): string {
  const source = resolved.sources[setting];
  const isUnset = control !== undefined && resolved.controls?.[control] === undefined;
  if (isUnset || (source !== "project" && source !== "user")) {
    return setting === "mode" ? "built in" : "the agent's own";
  }
  const owner = source === "user" ? "your defaults" : "the project's defaults";
  const isOwn = setting !== "agent" && resolved[source].agents?.[agent]?.[setting] !== undefined;
  return isOwn ? `${owner} for this agent` : owner;
}

/** The change that removes all defaults of an agent; `undefined` if it has none. */
export function removalOf({
  model,
  mode,
  effort,
  controls = {},
}: Defaults): Omit<ChangeDefaults, "scope" | "cwd" | "for"> | undefined {
  const removed = {
    ...(model === undefined ? {} : { model: null }),
    ...(mode === undefined ? {} : { mode: null }),
    ...(effort === undefined ? {} : { effort: null }),
    ...(Object.keys(controls).length === 0
      ? {}
      : { controls: Object.fromEntries(Object.keys(controls).map((id) => [id, null])) }),
  };
  return Object.keys(removed).length === 0 ? undefined : removed;
}
