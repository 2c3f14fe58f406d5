import type { Catalogue } from "../agents/catalogue.ts";
import type { Config } from "../config.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { Store } from "../log/port.ts";
import { AgentTextHelper, HELPER_ACCOUNT } from "./agent-text-helper.ts";
import { allowanceOf } from "./allowance.ts";

type Parts = {
  config: Config;
  catalogue: Catalogue;
  store: Store;
  env: Record<string, string>;
  id: () => string;
  /** A function, because the limits are opened later. */
  limits: () => LimitKeeper;
  log: (line: string) => void;
};

/** Creates the daemon's text helper. */
export function openTextHelper({ config, catalogue, store, env, id, limits, log }: Parts): AgentTextHelper {
  return new AgentTextHelper({
    config,
    env,
    id,
    log,
    processes: store.processes,
    resolve: (agent) => catalogue.resolve(agent),
    now: () => new Date().toISOString(),
    allowance: allowanceOf(limits, store, HELPER_ACCOUNT),
    book: (cost) => store.book({ account: HELPER_ACCOUNT, ...cost }),
  });
}
