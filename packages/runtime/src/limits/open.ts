import type { Catalogue } from "../agents/catalogue.ts";
import type { Config } from "../config.ts";
import type { Store } from "../log/port.ts";
import { accountOf } from "./account.ts";
import type { Breaker } from "./breaker.ts";
import { LIMITS } from "./gate.ts";
import { type LimitDeps, Limits } from "./limits.ts";
import type { LimitedSessions } from "./port.ts";

type Parts = {
  store: Store;
  config: Config;
  catalogue: Pick<Catalogue, "find" | "account">;
  log: (line: string) => void;
  sessions: () => LimitedSessions;
  kin: LimitDeps["kin"];
};

/** The limits of this machine's accounts, as an earlier daemon left them. */
export function openLimits({ store, config, catalogue, log, sessions, kin }: Parts): Limits {
  return new Limits({
    records: store.records<Breaker>(LIMITS),
    config,
    now: Date.now,
    account: (view) =>
      accountOf(view, catalogue.find(view.agent), catalogue.account(view.agent), store.sessions.env(view.id)),
    sessions,
    kin,
    spentSince: (at) => {
      const { cost, unpriced = 0 } = store.usage([], { since: at.toISOString() }).total;
      return { usd: cost.usd, unpriced };
    },
    log,
  });
}
