import type { SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { Config } from "../config.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Store } from "../log/port.ts";
import { systemClock } from "../schedules/clock.ts";
import type { Publisher } from "../session/api.ts";
import type { Sessions } from "../session/service.ts";
import { Family } from "./family.ts";
import { FamilyLanes } from "./family-lanes.ts";
import { writeShim } from "./shim.ts";
import { Spawns } from "./spawns.ts";
import { SessionTokens } from "./tokens.ts";
import { Wakes } from "./wakes.ts";

type Parts = {
  store: Store;
  home: string;
  config: Config;
  /** How the command line is run on this machine. */
  program: readonly string[] | undefined;
  agent: (id: string) => Agent | undefined;
  log: (line: string) => void;
  sessions: () => Sessions;
  lanes: () => Lanes;
  onStep: ((where: string) => void) | undefined;
};

/** Everything about sessions that agents begin, in the order in which a daemon needs it. */
export type SpawnParts = {
  spawns: Spawns;
  family: Family;
  /** A `gantry` that agents can run. */
  shim: string | undefined;
  announcer: Partial<Publisher>;
  /** What a process of a session finds of Gantry in its environment. The daemon must listen already. */
  surroundings(view: SessionView, holder: "agent" | "terminal"): Record<string, string>;
  /** From now on parents are woken. */
  start(url: string): void;
  stop(): void;
};

export function openSpawns({ store, home, config, program, agent, log, sessions, lanes, onStep }: Parts): SpawnParts {
  const family = new Family(store);
  const tokens = new SessionTokens(store);
  const shim = program && writeShim(home, program);
  const wakes = new Wakes({
    store,
    family,
    clock: systemClock,
    send: (id, body, sender) => sessions().send(id, body, sender),
    note: (id, notice) => sessions().note(id, notice),
    log,
    onStep,
  });
  const own = new FamilyLanes(store, family, lanes);
  let address = "";
  return {
    spawns: new Spawns({ store, sessions: lazily(sessions), family, tokens, config, agent, lanes: own }),
    family,
    shim,
    announcer: {
      committed: (session, rows) => {
        wakes.committed(session, rows);
        if (rows.some(({ json }) => json.includes('"archived":true')) && family.view(session)?.archived)
          tokens.revoke(session);
      },
      removed: (session) => {
        tokens.revoke(session);
        wakes.removed(session);
      },
    },
    surroundings: ({ id }, holder) => ({
      GANTRY_SESSION: id,
      GANTRY_URL: address,
      GANTRY_TOKEN: tokens.issue(id, holder),
      ...(shim ? { GANTRY_BIN: shim } : {}),
    }),
    start: (url) => {
      // Whoever listens everywhere is called on loopback.
      address = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
      tokens.tidy();
      wakes.start();
    },
    stop: () => wakes.stop(),
  };
}

/** Sessions need what their processes find around them, and that needs sessions: whoever is first asks later. */
function lazily(sessions: () => Sessions): Pick<Sessions, "create" | "get" | "send" | "patch"> {
  return {
    create: (body, origin, more) => sessions().create(body, origin, more),
    get: (id) => sessions().get(id),
    send: (id, body, sender) => sessions().send(id, body, sender),
    patch: (id, body) => sessions().patch(id, body),
  };
}
