import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { type ForkSession, GantryError, type IdKind, type Session } from "@gantry/protocol";
import type { Plan } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { LaneService } from "../lanes/port.ts";
import type { Store } from "../log/port.ts";
import type { ForkBody, ForkPlace, ForkPoint } from "../session/fork.ts";
import type { Places } from "./places.ts";
import type { Retention } from "./retention.ts";
import { changesBetween } from "./work-tree/diff.ts";
import { entriesAt, restore } from "./work-tree/restore.ts";

/** What sessions can do for a fork. */
export type Forkable = {
  forkPoint(session: string, at?: number): ForkPoint;
  fork(session: string, body: ForkBody, place?: ForkPlace): Promise<Session>;
};

export type ForkParts = {
  store: Store;
  places: Places;
  retention: Retention;
  jobs: Jobs;
  sessions: Forkable;
  lanes: Pick<LaneService, "create" | "remove">;
  id: (kind: IdKind) => string;
  /** Resolves when the ends of the session's turns are kept. */
  settled: (session: string) => Promise<void>;
  /** Makes the files of a folder what they are in a commit, as a revert of that session. */
  putBack: (session: string, cwd: string, commit: string) => Promise<void>;
};

/** A fork with a lane of its own, on its way. */
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

/** New sessions that go on from a turn of another, with the files of that turn. */
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
    const kept = await this.#after(session, view.cwd, point.turn);
    if ("missing" in kept) {
      if (files === undefined) return sessions.fork(session, at, { id });
      throw new GantryError("no_checkpoint", `The files of that turn are not to be had: ${kept.missing}.`, {
        remedy: "Say files: none to go on in the same folder with the files that are there.",
      });
    }
    if (files === "here") return this.#here(session, at, id, view.cwd, kept.after);
    const { root, head, after } = kept;
    if (!head) {
      if (files === undefined) return sessions.fork(session, at, { id });
      throw new GantryError("no_commits", "A lane needs a commit to begin from, and there was none yet.", {
        remedy: "Commit something, or say files: here or files: none.",
      });
    }
    return this.#inLane({ parent: session, body: at, root, cwd: view.cwd, title: view.title, head, after }, id);
  }

  async #after(session: string, cwd: string, turn: string) {
    const { places, retention, settled } = this.#parts;
    await settled(session);
    const tree = await places.of(cwd);
    if ("missing" in tree) return tree;
    const after = (await retention.keptOf(session)).get(`${turn}/after`)?.commit;
    if (!after) return { missing: "there is no checkpoint of its end, or none any more" };
    const { code, out } = await tree.shadow.look(["rev-parse", "--verify", "--quiet", `${after}^`], {
      answers: [1, 128],
    });
    return { root: tree.place.root, after, head: code === 0 ? out.trim() : undefined };
  }

  async #here(session: string, body: ForkBody, id: string | undefined, cwd: string, commit: string): Promise<Session> {
    const made = await this.#parts.sessions.fork(session, body, { id });
    await this.#parts.putBack(made.id, cwd, commit);
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

/** The lane, its files, the session. What fails in the middle leaves no lane. */
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
      { name: "files", run: async (data) => layOut(places, data) },
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

/** What was not committed at the end of the turn lies in the lane as it lay there: changed, untracked or gone. */
async function layOut(places: Places, { path = "", head, after }: ForkData): Promise<undefined> {
  const tree = await places.of(path);
  if ("missing" in tree) throw new Error(`${path}: ${tree.missing}`);
  await tree.alone(async () => {
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
