import { agentFolder } from "@gantry/models";
import { type IdKind, makeIds } from "@gantry/protocol";
import { openTrustStore, type TrustStore } from "@gantry/trust";
import { type Config, defaultConfig } from "../config.ts";
import { Hub } from "../hub/hub.ts";
import { Jobs } from "../jobs/jobs.ts";
import { Blobs } from "../log/blobs.ts";
import type { Store } from "../log/port.ts";
import { Spool } from "../process/spool.ts";
import type { RequestOptions } from "../push/request.ts";
import type { GantryServer } from "../server/http.ts";
import type { FindProjectCode } from "../trust/trust.ts";

export type DaemonOptions = {
  home: string;
  /** 0 or absent: the port of the last run if it is free, otherwise any free port. */
  port?: number;
  host?: string;
  env: Record<string, string | undefined>;
  version: string;
  /** The folder of the built page, if there is one. */
  pageDir?: string;
  /** The command that runs the command line, for agents that call it: a program and its first arguments. */
  program?: readonly string[];
  /** What the own agent would run in a folder. Without it, trust covers lanes and git only. */
  findProjectCode?: FindProjectCode;
  /** How push services are reached. Set only by tests, whose push service is on this machine. */
  pushRequest?: RequestOptions;
};

/** What is open before the daemon answers health checks. From here on, no file of the user can prevent the start. */
export type OpenHome = {
  options: DaemonOptions;
  /** `undefined`: there is no file, so the defaults apply. */
  config: Config | undefined;
  token: string;
  /** Ends the redaction of the token. Called when the daemon has stopped. */
  forgetToken: () => void;
  log: (line: string) => void;
  store: Store;
  server: GantryServer;
  listening: { port: number; url: string };
  /** Releases the lock on the home folder. */
  unlock: () => void;
};

/** Configuration, storage and jobs: the parts that every other part uses. */
export type Base = Omit<OpenHome, "config"> & {
  config: Config;
  blobs: Blobs;
  spool: Spool;
  hub: Hub;
  jobs: Jobs;
  trust: TrustStore;
  id: (kind: IdKind) => string;
  now: () => string;
  /** Called at each step of a job. Set only by crash tests. */
  onStep: ((step: string) => void) | undefined;
};

export function openBase(open: OpenHome): Base {
  const { options, store, log } = open;
  const { home, env } = options;
  const now = () => new Date().toISOString();
  const onStep = crashAt(env.GANTRY_DIE_AT);
  return {
    ...open,
    config: open.config ?? defaultConfig(),
    blobs: new Blobs(home),
    spool: new Spool(home),
    hub: new Hub(store),
    jobs: new Jobs({ store, log, now, onStep }),
    trust: openTrustStore(home, agentFolder({ ...env, GANTRY_HOME: home })),
    id: makeIds(Date.now, Math.random),
    now,
    onStep,
  };
}

/** For crash tests: the daemon kills itself at one step of a job, given as `<kind>:<step>:<moment>`. */
function crashAt(step: string | undefined): ((current: string) => void) | undefined {
  if (!step) return undefined;
  return (current) => {
    if (current === step) process.kill(process.pid, "SIGKILL");
  };
}
