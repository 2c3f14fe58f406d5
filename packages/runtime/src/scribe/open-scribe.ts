import type { Catalogue } from "../agents/catalogue.ts";
import type { Config } from "../config.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { Store } from "../log/port.ts";
import { AgentScribe, SCRIBE } from "./agent-scribe.ts";
import { allowanceOf } from "./allowance.ts";

type Parts = {
  config: Config;
  catalogue: Catalogue;
  store: Store;
  env: Record<string, string>;
  id: () => string;
  /** Opened after it. */
  limits: () => LimitKeeper;
  log: (line: string) => void;
};

/** The scribe of a daemon. */
export function openScribe({ config, catalogue, store, env, id, limits, log }: Parts): AgentScribe {
  return new AgentScribe({
    config,
    env,
    id,
    log,
    processes: store.processes,
    resolve: (agent) => catalogue.resolve(agent),
    now: () => new Date().toISOString(),
    allowance: allowanceOf(limits, store, SCRIBE),
    book: (cost) => store.book({ account: SCRIBE, ...cost }),
  });
}
