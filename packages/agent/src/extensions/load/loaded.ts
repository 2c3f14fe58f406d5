import type { Cleanup, ExtensionCommand, ExtensionProvider, ExtensionTool, HookHandlers } from "../api/types.ts";
import type { MarkdownCommand } from "../commands/markdown.ts";
import type { Found } from "../discovery/found.ts";
import type { CommandHook } from "../hooks/hook-file.ts";

export type Handler<Name extends keyof HookHandlers = keyof HookHandlers> = {
  name: Name;
  run: HookHandlers[Name];
};

/** `untrusted`: the user has not trusted this content. `failed`: it could not be loaded. */
export type ExtensionState = "active" | "disabled" | "untrusted" | "failed";

/** An extension in this process, with all that it has registered. `failures`: in a row, by what failed. */
export type Loaded = {
  readonly found: Found;
  state: ExtensionState;
  problem?: string;
  readonly tools: Map<string, ExtensionTool>;
  readonly commands: Map<string, ExtensionCommand>;
  readonly texts: MarkdownCommand[];
  readonly handlers: Handler[];
  readonly hooks: CommandHook[];
  readonly providers: Map<string, ExtensionProvider>;
  readonly failures: Map<string, number>;
  cleanup?: Cleanup;
  release?(): void;
};

export function blankExtension(found: Found, state: ExtensionState, problem?: string): Loaded {
  return {
    found,
    state,
    ...(problem === undefined ? {} : { problem }),
    tools: new Map(),
    commands: new Map(),
    texts: [],
    handlers: [],
    hooks: [],
    providers: new Map(),
    failures: new Map(),
  };
}
