import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { type ForkSession, GantryError, type IdKind, type Session } from "@gantry/protocol";
import type { Plan } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { LaneService } from "../lanes/port.ts";
import type { Store } from "../log/port.ts";
import type { ForkBody, ForkPlace, ForkPoint } from "../session/create-session.ts";
import type { Retention } from "./retention.ts";
import { changesBetween } from "./work-tree/diff.ts";
import { entriesAt, restore } from "./work-tree/restore.ts";
import type { WorkTrees } from "./work-trees.ts";

/** The operations of sessions that a fork needs. */
export type Forkable = {
  forkPoint(session: string, at?: number): ForkPoint;
  fork(session: string, body: ForkBody, place?: ForkPlace): Promise<Session>;
};

export type ForkParts = {
  store: Store;
  places: WorkTrees;
  retention: Retention;
  jobs: Jobs;
  sessions: Forkable;
  lanes: Pick<LaneService, "create" | "remove">;
  id: (kind: IdKind) => string;
  /** Resolves when the checkpoints of the session's ended turns are stored. */
  settled: (session: string) => Promise<void>;
  /** Sets the files of a folder to a commit, as a revert of that session. */
  restoreTo: (session: string, cwd: string, commit: string) => Promise<void>;
};

/** A fork into a new lane, in progress. */
export type ForkData = {
  parent: string;
  session: string;
  lane: string;
  body: ForkBody;
  root: string;
  cwd: string;
  title: string;
  head: string;
  after: string;
  path?: string;
};

export const FORK = "fork";

/** Creates sessions that continue from a turn of another, with the files of that turn. */
export class Forks {
  readonly #parts: ForkParts;

  constructor(parts: ForkParts) {
    this.#parts = parts;
  }

  async fork(session: string, { files, id, ...body }: ForkSession): Promise<Session> {
    const { sessions, store } = this.#parts;
    const known = id ? store.sessions.get(id) : undefined;
    if (id && known) return sessions.fork(session, body, { id });
    const view = store.sessions.get(session)?.view;
    if (!view) throw new GantryError("no_such_session", `There is no session ${session}.`);
    const point = sessions.forkPoint(session, body.at);
    const at = { ...body, at: point.until };
    if (files === "none") return sessions.fork(session, at, { id });
    const snapshot = await this.#findStateAfter(session, view.cwd, point.turn);
    if ("missing" in snapshot) {
      if (files === undefined) return sessions.fork(session, at, { id });
      throw new GantryError("no_checkpoint", `There is no snapshot of the files at that turn: ${snapshot.missing}.`, {
        remedy: "Use files: none to continue in the same folder with its current files.",
      });
    }
    if (files === "here") return this.#forkInPlace(session, at, id, view.cwd, snapshot.after);
    const { root, head, after } = snapshot;
    if (!head) {
      if (files === undefined) return sessions.fork(session, at, { id });
      throw new GantryError("no_commits", "A lane needs a commit to start from, and the repository had none.", {
        remedy: "Create a commit, or use files: here or files: none.",
      });
    }
    return this.#inLane({ parent: session, body: at, root, cwd: view.cwd, title: view.title, head, after }, id);
  }

  async #findStateAfter(session: string, cwd: string, turn: string) {
    const { places, retention, settled } = this.#parts;
    await settled(session);
    const tree = await places.of(cwd);
    if ("missing" in tree) return tree;
    const after = (await retention.storedOf(session)).get(`${turn}/after`)?.commit;
    if (!after) return { missing: "its checkpoint does not exist or has expired" };
    const { code, out } = await tree.shadow.look(["rev-parse", "--verify", "--quiet", `${after}^`], {
      answers: [1, 128],
    });
    return { root: tree.place.root, after, head: code === 0 ? out.trim() : undefined };
  }

  async #forkInPlace(
    session: string,
    body: ForkBody,
    id: string | undefined,
    cwd: string,
    commit: string,
  ): Promise<Session> {
    const made = await this.#parts.sessions.fork(session, body, { id });
    await this.#parts.restoreTo(made.id, cwd, commit);
    return made;
  }

  async #inLane(data: Omit<ForkData, "session" | "lane">, id?: string): Promise<Session> {
    const { jobs, sessions } = this.#parts;
    const session = id ?? this.#parts.id("session");
    const job = this.#parts.id("job");
    jobs.start<ForkData>(FORK, job, { ...data, session, lane: this.#parts.id("lane") });
    await jobs.outcome(job);
    jobs.forget(job);
    return sessions.fork(data.parent, data.body, { id: session });
  }
}

/** Creates the lane, its files, then the session. A failure removes the lane. */
export function forkPlan({
  places,
  sessions,
  lanes,
}: Pick<ForkParts, "places" | "sessions" | "lanes">): Plan<ForkData> {
  return {
    kind: FORK,
    steps: [
      {
        name: "lane",
        run: async ({ lane: id, root, head, title }) => {
          const made = await lanes.create({ id, cwd: root, base: head, prompt: `${title} fork` });
          return { path: made.lane.path };
        },
      },
      { name: "files", run: async (data) => restoreUncommitted(places, data) },
      {
        name: "session",
        run: async ({ parent, body, session, lane, root, cwd, path = root }) => {
          const inner = join(path, relative(root, cwd));
          await sessions.fork(parent, body, { id: session, lane, cwd: existsSync(inner) ? inner : path });
          return undefined;
        },
      },
    ],
    undo: async ({ lane }) => {
      await lanes.remove(lane, { force: true }).catch((error: GantryError) => {
        if (error.code !== "no_such_lane") throw error;
      });
      return undefined;
    },
  };
}

/** Restores the uncommitted state at the end of the turn: changed, untracked and deleted files. */
async function restoreUncommitted(places: WorkTrees, { path = "", head, after }: ForkData): Promise<undefined> {
  const tree = await places.of(path);
  if ("missing" in tree) throw new Error(`${path}: ${tree.missing}`);
  await tree.runLocked(async () => {
    await tree.shadow.prepare();
    const changes = await changesBetween(tree.shadow, head, after, { renames: false });
    const paths = changes.filter(({ modes }) => !modes.includes("160000")).map((change) => change.path);
    const entries = await entriesAt(tree.shadow, after, paths);
    await restore(
      tree.shadow,
      paths.map((one) => ({ path: one, entry: entries.get(one) })),
    );
  });
  return undefined;
}
