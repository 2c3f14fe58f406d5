import { setTimeout as sleep } from "node:timers/promises";
import type { Draft, IdKind } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Git } from "../lanes/git/git.ts";
import type { RecordChange, Store } from "../log/port.ts";
import { Checkpoints } from "./checkpoints.ts";
import { type Forkable, type ForkParts, forkPlan } from "./forks.ts";
import { Keeper } from "./keeper.ts";
import { Places } from "./places.ts";
import { Retention } from "./retention.ts";
import { REVERT, revertPlan } from "./revert-plan.ts";

export type CheckpointParts = {
  git: Git;
  store: Store;
  jobs: Jobs;
  home: string;
  config: Config;
  id: (kind: IdKind) => string;
  tell: (session: string, events: readonly Draft[], records?: readonly RecordChange[]) => void;
  log: (line: string) => void;
  sessions: Forkable;
  lanes: ForkParts["lanes"];
};

const STOP_MS = 2000;

/**
 * Everything about checkpoints. Opened before sessions are; `recover` is called when they are there and jobs go on,
 * `sweep` now and then.
 */
export function openCheckpoints(parts: CheckpointParts) {
  const { git, store, jobs, home, config, id, tell, log, sessions, lanes } = parts;
  const { checkpoints: settings } = config;
  const places = new Places(git, home, settings);
  const retention = new Retention({ git, store, home, config: settings });
  const left = jobs.list(REVERT).filter(({ state }) => state === "running" || state === "undoing");
  const resumed = Promise.withResolvers<unknown>();
  const ready = () => resumed.promise;
  const common = { store, places, retention, config: settings, tell, ready, log };
  const keeper = new Keeper(common);
  const service = new Checkpoints({ ...common, jobs, keeper, id, sessions, lanes });
  jobs.register(revertPlan({ store, places, tell }));
  jobs.register(forkPlan({ places, sessions, lanes }));
  const sweep = () => void retention.sweep(Date.now()).catch((error) => log(`checkpoints: ${error.message}`));
  const recover = () => {
    resumed.resolve(Promise.all(left.map((job) => jobs.settled(job.id))));
    keeper.recover();
  };
  /** What takes longer is left to the next daemon. */
  const stop = () => Promise.race([keeper.underWay(), sleep(STOP_MS, undefined, { ref: false })]);
  return { keeper, service, sweep, recover, stop };
}
