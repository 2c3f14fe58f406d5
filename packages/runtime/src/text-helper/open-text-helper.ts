import type { SessionView } from "@gantry/protocol";
import type { Catalogue } from "../agents/catalogue.ts";
import { builtInAgents } from "../agents/registry.ts";
import type { Config } from "../config.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { Store } from "../log/port.ts";
import { allowanceOf } from "./allowance.ts";
import { chooseWriter, SWITCH } from "./choose-writer.ts";
import { HELPER_ACCOUNT, QueuedTextHelper } from "./queued-text-helper.ts";
import { RegistryWriter } from "./registry-writer.ts";

type Parts = {
  config: Config;
  catalogue: Catalogue;
  store: Store;
  /** `GANTRY_HOME`. */
  home: string;
  /** The daemon's environment. */
  daemonEnv: Record<string, string | undefined>;
  /** The environment of agents. */
  env: Record<string, string>;
  id: () => string;
  /** A function, because the limits are opened later. */
  limits: () => LimitKeeper;
  log: (line: string) => void;
};

/** Creates the daemon's text helper. */
export function openTextHelper(parts: Parts): QueuedTextHelper {
  const { config, catalogue, store, home, daemonEnv, env, id, limits, log } = parts;
  const registry = new RegistryWriter({ home, env: daemonEnv });
  const isOff = daemonEnv[SWITCH] === "off";
  const sessionEnv = (session: string) => store.sessions.env(session);
  const registryAgent = builtInAgents.find(({ usesRegistry }) => usesRegistry)?.id ?? "";
  const choice = {
    ...{ config, isOff, registry, registryAgent, env, sessionEnv },
    agent: (agent: string) => catalogue.find(agent),
    models: async (agent: string) => {
      const known = catalogue.knownModels(agent);
      if (known.length > 0) return known;
      return catalogue.row(agent).then(
        ({ models }) => models.items,
        () => [],
      );
    },
    profile: (agent: string) => catalogue.profile(agent),
  };
  return new QueuedTextHelper({
    ...{ config, env, id, log, registry, sessionEnv },
    isAutomatic: !isOff,
    choose: (subject) => chooseWriter(choice, subject),
    view: (session): SessionView | undefined => store.sessions.get(session)?.view,
    processes: store.processes,
    resolve: (agent) => catalogue.resolve(agent),
    now: () => new Date().toISOString(),
    allowance: allowanceOf(limits, store, HELPER_ACCOUNT),
    book: (cost) => store.book({ account: HELPER_ACCOUNT, ...cost }),
  });
}
