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
import { SessionTokens } from "./rights/tokens.ts";
import { writeShim } from "./shim.ts";
import { Spawns } from "./spawns.ts";
import { isArchival, Wakes } from "./wakes.ts";

type Parts = {
  store: Store;
  home: string;
  config: Config;
  /** The command that runs the command line on this machine. */
  program: readonly string[] | undefined;
  agent: (id: string) => Agent | undefined;
  log: (line: string) => void;
  sessions: () => Sessions;
  lanes: () => Lanes;
  onStep: ((where: string) => void) | undefined;
};

/** The parts for spawned sessions, in the order in which a daemon needs them. */
export type SpawnParts = {
  spawns: Spawns;
  family: Family;
  /** A `gantry` executable for agents. */
  shim: string | undefined;
  announcer: Partial<Publisher>;
  /** Gantry's variables for a process of a session. The daemon must be listening. */
  surroundings(view: SessionView, holder: "agent" | "terminal"): Record<string, string>;
  /** The daemon's address on this machine, once it listens. */
  address(): string;
  /** Starts to wake parents. */
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
    spawns: new Spawns({ store, sessions: deferSessions(sessions), family, tokens, config, agent, lanes: own }),
    family,
    shim,
    announcer: {
      committed: (session, rows) => {
        wakes.committed(session, rows);
        if (rows.some(isArchival) && family.view(session)?.archived) tokens.revoke(session);
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
    address: () => address,
    start: (url) => {
      // A wildcard address is reachable on loopback.
      address = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
      tokens.tidy();
      wakes.start();
    },
    stop: () => wakes.stop(),
  };
}

/** Breaks the circular dependency: sessions need the environment of their processes, which needs the sessions. */
function deferSessions(sessions: () => Sessions): Pick<Sessions, "create" | "get" | "send" | "patch"> {
  return {
    create: (body, origin, more) => sessions().create(body, origin, more),
    get: (id) => sessions().get(id),
    send: (id, body, sender) => sessions().send(id, body, sender),
    patch: (id, body) => sessions().patch(id, body),
  };
}

/** Instructions for the agent of a lead. */
export const LEAD_HINT = `A person made this session the lead of the sessions that it starts and of those below them: \`"$GANTRY_BIN" inbox\` lists what they wait for, \`"$GANTRY_BIN" allow <input>\` and \`"$GANTRY_BIN" deny <input> --message "why"\` answer one request, \`"$GANTRY_BIN" handoff <session> <agent>\` gives a session to another agent, and \`"$GANTRY_BIN" lanes land <lane>\` merges the work of a lane into its base. Read a request and a diff before you decide. Leave what you are not sure about to a person.`;

/** Instructions for agents, if the settings enable them. Three lines only, because every conversation starts with them. */
export const SPAWN_HINT = `You can let other agents work for you: \`"$GANTRY_BIN" run --detach -a <agent> --mode <plan|ask|auto-edit|full-auto> "what to do"\` starts a separate session and prints its id. \`"$GANTRY_BIN" agents\` lists the agents; the mode may not be above yours.
You need not wait for it: end your turn, and you get a message with its last text and the files that it changed when it is done. To wait in place: \`"$GANTRY_BIN" wait <id>\`.
\`"$GANTRY_BIN" ls\`, \`show\`, \`logs\`, \`send\` and \`interrupt\` work on the sessions that you began. Approvals in them are for a person to give.`;
