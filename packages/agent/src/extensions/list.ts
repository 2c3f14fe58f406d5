import type { ExtensionState, Loaded } from "./load/loaded.ts";

/** What a person sees of an extension. */
export type ExtensionRow = {
  name: string;
  kind: "module" | "commands" | "hooks";
  from: string;
  path: string;
  state: ExtensionState;
  /** `own`: it belongs to the user and needs no trust. */
  trust: "own" | "trusted" | "untrusted";
  adds: { tools: string[]; commands: string[]; hooks: string[]; providers: string[] };
  problem?: string;
};

export function describeExtension({ found, state, problem, ...loaded }: Loaded): ExtensionRow {
  const { name, kind, from, path, item } = found;
  return {
    name,
    kind,
    from,
    path,
    state,
    trust: item === undefined ? "own" : state === "untrusted" ? "untrusted" : "trusted",
    adds: {
      tools: [...loaded.tools.keys()],
      commands: [...loaded.commands.keys(), ...loaded.texts.map((text) => text.name)],
      hooks: [...new Set([...loaded.handlers.map((each) => each.name), ...loaded.hooks.map(({ event }) => event)])],
      providers: [...loaded.providers.keys()],
    },
    ...(problem === undefined ? {} : { problem }),
  };
}
