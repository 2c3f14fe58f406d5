import type { Catalogue } from "../agents/catalogue.ts";
import type { Config } from "../config.ts";
import type { Store } from "../log/port.ts";
import { Accounts } from "./account.ts";
import type { Breaker } from "./breaker/breaker.ts";
import { LIMITS } from "./gate.ts";
import { type LimitDeps, Limits } from "./limits.ts";
import type { LimitedSessions } from "./port.ts";

type Parts = {
  store: Store;
  config: Config;
  catalogue: Pick<Catalogue, "find" | "account" | "profile">;
  log: (line: string) => void;
  sessions: () => LimitedSessions;
  kin: LimitDeps["kin"];
};

/** The limits of this machine's accounts, restored from the store. */
export function openLimits({ store, config, catalogue, log, sessions, kin }: Parts): Limits {
  const accounts = new Accounts({
    agent: (id) => catalogue.find(id),
    login: (id) => catalogue.account(id),
    profile: (id) => catalogue.profile(id),
    env: (session) => store.sessions.env(session),
  });
  return new Limits({
    records: store.records<Breaker>(LIMITS),
    config,
    now: Date.now,
    account: (view) => accounts.of(view),
    sessions,
    kin,
    spentSince: (at) => {
      const { cost, unpriced = 0 } = store.usage([], { since: at.toISOString() }).total;
      return { usd: cost.usd, unpriced };
    },
    log,
  });
}
