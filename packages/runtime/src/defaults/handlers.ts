import type { ChangeDefaults, ResolvedDefaults } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** Defaults of new sessions. */
export interface DefaultService {
  get(query: { cwd?: string; agent?: string }): Promise<ResolvedDefaults>;
  /** Throws `invalid` or `conflict`; then nothing has changed. */
  set(body: ChangeDefaults): Promise<ResolvedDefaults>;
}

export function defaultHandlers(defaults: DefaultService): Pick<Handlers, "getDefaults" | "putDefaults"> {
  return {
    getDefaults: async ({ query }) => ({ json: await defaults.get(query) }),
    putDefaults: async ({ body }) => ({ json: await defaults.set(body) }),
  };
}
