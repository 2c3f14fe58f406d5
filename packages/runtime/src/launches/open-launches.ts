import { join } from "node:path";
import type { Envelope, IdKind, Lane, Session } from "@gantry/protocol";
import type { Jobs } from "../jobs/jobs.ts";
import { ConflictCheck } from "../landing/conflicts/conflict-check.ts";
import { LandingManager } from "../landing/service.ts";
import { readLaneFile } from "../lanes/create/lane-file.ts";
import type { Git, GitTrust } from "../lanes/git/git.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { laneFileItems, untrustedError } from "../lanes/untrusted.ts";
import type { Store, StoredEvent } from "../log/port.ts";
import type { Sessions } from "../session/service.ts";
import { Checks } from "./checks/checks.ts";
import { Comparing } from "./compare/compare.ts";
import { Launches } from "./launches.ts";

type Parts = {
  store: Store;
  jobs: Jobs;
  lanes: Lanes;
  sessions: Sessions;
  home: string;
  /** Environment of agents, which checks and `gh` share. */
  env: Record<string, string>;
  id: (kind: IdKind) => string;
  log: (line: string) => void;
  trust: GitTrust;
};

export type LaunchParts = {
  launches: Launches;
  landing: LandingManager;
  /** Called for every commit. Checks the lane for conflicts at the end of a turn. */
  committed(session: string, rows: readonly StoredEvent[]): void;
  stop(): Promise<void>;
};

const PAGE = 1000;
/** The kind of the records that hold the keys of published notices. */
const NOTICE_KEYS = "told"; // prose-ignore: stored name

/** Creates the launches and landings of a daemon and registers their job plans. */
export function openLaunches({ store, jobs, lanes, sessions, home, env, id, log, trust }: Parts): LaunchParts {
  const { git } = lanes;
  const now = () => new Date().toISOString();
  const conflictCheck = new ConflictCheck({ git, lanes });
  const session = (one: string) => (store.sessions.get(one) ? sessions.get(one) : undefined);
  const landing = new LandingManager({
    git,
    lanes,
    conflictCheck,
    jobs,
    store,
    folder: join(home, "landing"),
    env,
    id: () => id("job"),
    now,
    log,
    sessions: {
      get: (one) => sessions.get(one),
      send: (one, body) => sessions.send(one, body),
      notice: (one, data, key) => noticeOnce({ store, sessions }, one, data, key),
    },
  });
  const checks = new Checks({
    store,
    home,
    lanes,
    env: (lane) => ({ ...env, ...lanes.surroundings(lane) }),
    named: (lane) => findCheck(git, trust, lane),
    tip: async (lane) => (await conflictCheck.stateOf(lane)).tip,
    now,
  });
  const launches = new Launches({
    git,
    home,
    lanes,
    room: lanes,
    jobs,
    store,
    sessions,
    sight: {
      lane: (lane) => lanes.record(lane),
      session,
      wasSent: (one, message) => store.findMessage(one, message) !== undefined,
    },
    comparing: new Comparing({ git, lanes, room: lanes, session, events: (one) => [...eventsOf(store, one)], checks }),
    checks,
    requireAgent: (agent, choices) => sessions.requireAgent(agent, choices),
    requireFolders: (agent, folders, cwd) => sessions.requireFolders(agent, folders, cwd),
    interrupt: (one) => void sessions.interrupt(one, "clear"),
    id: () => id("launch"),
    now,
    log,
  });
  const handleCommitted = (one: string, rows: readonly StoredEvent[]) => {
    if (!rows.some(({ type }) => type === "turn.ended")) return;
    const lane = store.sessions.get(one)?.view.lane;
    if (lane) void conflictCheck.ofLane(lane).catch((error) => log(`${lane}: ${error.message}`));
  };
  return { launches, landing, committed: handleCommitted, stop: () => checks.close() };
}

/** The check of the repository's lane file. Throws `untrusted`. */
async function findCheck(git: Git, trust: GitTrust, { name, path, repository }: Lane): Promise<string | undefined> {
  const { check } = await readLaneFile(git, { path, primary: repository });
  const items = laneFileItems({ check }, path);
  if (trust.covers(path, items)) return check;
  throw untrustedError(`${name} was not checked, because you have not trusted`, repository, items);
}

/** Publishes a notice to a session once per key. */
function noticeOnce(
  { store, sessions }: Pick<Parts, "store" | "sessions">,
  one: string,
  data: { kind: string; severity: "info" | "warning"; text: string },
  key: string,
): void {
  if (store.records(NOTICE_KEYS).get(key)) return;
  const value = { at: new Date().toISOString() };
  sessions.record(one, [{ type: "notice", data }], [{ kind: NOTICE_KEYS, id: key, value }]);
}

function* eventsOf(store: Store, session: Session["id"]): Generator<Envelope> {
  for (let after = 0; ; ) {
    const rows = store.readEvents(session, after, PAGE);
    for (const { json } of rows) yield JSON.parse(json) as Envelope;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.seq;
  }
}
