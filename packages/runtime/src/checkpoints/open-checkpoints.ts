import { setTimeout as sleep } from "node:timers/promises";
import type { Draft, IdKind } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Git } from "../lanes/git/git.ts";
import type { RecordChange, Store } from "../log/port.ts";
import { Checkpoints } from "./checkpoints.ts";
import { type Forkable, type ForkParts, forkPlan } from "./forks.ts";
import { Retention } from "./retention.ts";
import { REVERT, revertPlan } from "./revert/revert-plan.ts";
import { TurnCheckpoints } from "./turn-checkpoints.ts";
import { WorkTrees } from "./work-trees.ts";

export type CheckpointParts = {
  git: Git;
  store: Store;
  jobs: Jobs;
  home: string;
  config: Config;
  id: (kind: IdKind) => string;
  publish: (session: string, events: readonly Draft[], records?: readonly RecordChange[]) => void;
  log: (line: string) => void;
  /** Set only by crash tests. */
  onStep?: (step: string) => void;
  sessions: Forkable;
  lanes: ForkParts["lanes"];
};

const STOP_MS = 2000;

/**
 * Creates the checkpoints of a daemon. Opened before the sessions. Call `recover` when sessions exist and jobs are
 * resumed, and `sweep` periodically.
 */
export function openCheckpoints(parts: CheckpointParts) {
  const { git, store, jobs, home, config, id, publish, log, onStep, sessions, lanes } = parts;
  const { checkpoints: settings } = config;
  const places = new WorkTrees(git, home, settings);
  const retention = new Retention({ git, store, home, config: settings });
  const left = jobs.list(REVERT).filter(({ state }) => state === "running" || state === "undoing");
  const resumed = Promise.withResolvers<unknown>();
  const waitForResume = () => resumed.promise;
  const common = { store, places, retention, config: settings, publish, ready: waitForResume, log };
  const turnCheckpoints = new TurnCheckpoints({ ...common, onStep });
  const service = new Checkpoints({ ...common, jobs, turnCheckpoints, id, sessions, lanes });
  jobs.register(revertPlan({ store, places, publish }));
  jobs.register(forkPlan({ places, sessions, lanes }));
  const sweep = () => void retention.sweep(Date.now()).catch((error) => log(`checkpoints: ${error.message}`));
  const recover = () => {
    resumed.resolve(Promise.all(left.map((job) => jobs.waitForEnd(job.id))));
    turnCheckpoints.recover();
  };
  /** Checkpoints that take longer are completed by the next daemon. */
  const stop = () => Promise.race([turnCheckpoints.allSettled(), sleep(STOP_MS, undefined, { ref: false })]);
  return { turnCheckpoints, service, places, retention, sweep, recover, stop };
}
