import type { Catalogue } from "../agents/catalogue.ts";
import type { Config } from "../config.ts";
import type { Store } from "../log/port.ts";
import { AgentScribe, SCRIBE } from "./agent-scribe.ts";

type Parts = {
  config: Config;
  catalogue: Catalogue;
  store: Store;
  env: Record<string, string>;
  id: () => string;
  log: (line: string) => void;
};

/** The scribe of a daemon. */
export function openScribe({ config, catalogue, store, env, id, log }: Parts): AgentScribe {
  return new AgentScribe({
    config,
    env,
    id,
    log,
    processes: store.processes,
    resolve: (agent) => catalogue.resolve(agent),
    now: () => new Date().toISOString(),
    book: (cost) => store.book({ account: SCRIBE, ...cost }),
  });
}
