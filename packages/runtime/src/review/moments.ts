import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { GantryError, type SessionView } from "@gantry/protocol";
import { type Checkpoints, noCheckpoints, requireCommit } from "../checkpoints/checkpoints.ts";
import type { Missing } from "../checkpoints/work-tree/place.ts";
import type { WorkTree } from "../checkpoints/work-tree/work-tree.ts";
import type { WorkTrees } from "../checkpoints/work-trees.ts";
import { copyIndex } from "../lanes/git/snapshot.ts";
import type { LaneRoom } from "../lanes/port.ts";
import type { Store } from "../log/port.ts";

export type MomentDeps = {
  store: Store;
  places: WorkTrees;
  checkpoints: Checkpoints;
  lanes: LaneRoom;
};

/** A commit or tree, and the branch that it was taken from. */
export type Moment = { commit: string; name?: string };

/** The author of commits that only Gantry sees. */
export const OWN_COMMIT = {
  GIT_AUTHOR_NAME: "Gantry",
  GIT_AUTHOR_EMAIL: "gantry@localhost",
  GIT_COMMITTER_NAME: "Gantry",
  GIT_COMMITTER_EMAIL: "gantry@localhost",
};
/** The same index gives the same commit. */
const SAME_TIME = { GIT_AUTHOR_DATE: "@0 +0000", GIT_COMMITTER_DATE: "@0 +0000" };
const COMMIT = /^[0-9a-f]{40,64}$/;

/** Finds the commits at both ends of a comparison. */
export class Moments {
  readonly #deps: MomentDeps;

  constructor(deps: MomentDeps) {
    this.#deps = deps;
  }

  /** Throws `no_such_session`. */
  view(session: string): SessionView {
    const row = this.#deps.store.sessions.get(session);
    if (row) return row.view;
    throw new GantryError("no_such_session", `There is no session ${session}.`, { remedy: "`gantry ls` lists them." });
  }

  /** The work tree of a session's folder. Throws `no_checkpoint` with the reason if it has none. */
  async tree({ cwd }: SessionView): Promise<WorkTree> {
    const tree = await this.#deps.places.of(cwd);
    if ("missing" in tree) throw noCheckpoints(cwd, tree as Missing);
    return tree;
  }

  /** `base`, `session`, `head`, `index`, the state before a turn, or a commit. */
  async start(view: SessionView, tree: WorkTree, name: string): Promise<Moment> {
    if (name === "base") return this.#base(view, tree);
    if (name === "session") return (await this.#firstTurn(view)) ?? this.#base(view, tree);
    if (name === "head") return { commit: (await head(tree)) ?? (await emptyTree(tree)), name: "HEAD" };
    if (name === "index") return { commit: await indexCommit(tree), name: "index" };
    if (COMMIT.test(name)) return { commit: await existing(tree, name) };
    return { commit: requireCommit((await this.#turn(view, name)).checkpoint.before, name) };
  }

  /** The state after a turn, `index`, or a commit. `now` is for the caller, which needs more of the snapshot. */
  async end(view: SessionView, tree: WorkTree, name: string): Promise<string> {
    if (name === "index") return indexCommit(tree);
    if (COMMIT.test(name)) return existing(tree, name);
    const { checkpoint, outcome } = await this.#turn(view, name);
    return outcome === undefined ? (await tree.snapshot()).commit : requireCommit(checkpoint.after, name);
  }

  async #turn({ id }: SessionView, turn: string) {
    if (turn.startsWith("trn_")) return this.#deps.checkpoints.turn(id, turn);
    throw new GantryError("invalid", `${turn} is neither a turn nor a moment.`, {
      remedy:
        "Use a turn's id, `base`, `session`, `head` or `index` as the start, and a turn's id, `index` or `now` as the end.",
    });
  }

  /** The files before the first turn that has a checkpoint. */
  async #firstTurn({ id }: SessionView): Promise<Moment | undefined> {
    const { turns } = await this.#deps.checkpoints.turns(id);
    const commit = turns.find(({ checkpoint }) => checkpoint.before)?.checkpoint.before;
    return commit === undefined ? undefined : { commit };
  }

  /**
   * Where the session's work starts. In a lane: where the lane left its base branch. Elsewhere: the commit that was
   * checked out before the session's first turn, so that commits of the session count as changes.
   */
  async #base(view: SessionView, tree: WorkTree): Promise<Moment> {
    const lane = view.lane === undefined ? this.#deps.lanes.at(tree.place.root) : this.#deps.lanes.record(view.lane);
    if (lane) {
      const { ref, commit } = lane.base;
      const fork = ref === undefined ? undefined : await line(tree, ["merge-base", "HEAD", ref]);
      return { commit: fork ?? commit, ...(ref ? { name: ref.replace(/^refs\/(heads|remotes)\//, "") } : {}) };
    }
    const first = (await this.#firstTurn(view))?.commit;
    if (first === undefined) return { commit: (await head(tree)) ?? (await emptyTree(tree)) };
    return { commit: (await line(tree, ["rev-parse", "--verify", "--quiet", `${first}^`])) ?? (await emptyTree(tree)) };
  }
}

async function line(tree: WorkTree, args: string[]): Promise<string | undefined> {
  const { code, out } = await tree.shadow.look(args, { answers: [1, 128] });
  return code === 0 ? out.trim() : undefined;
}

function head(tree: WorkTree): Promise<string | undefined> {
  return line(tree, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
}

/** The user's index as a commit. A copy is read, because git would update the index itself. */
async function indexCommit(tree: WorkTree): Promise<string> {
  const { shadow, place } = tree;
  const own = join(place.gitDir, "index");
  if (!existsSync(own)) return emptyTree(tree);
  return tree.runLocked(async () => {
    const copy = `${shadow.index}.staged`;
    try {
      copyIndex(own, copy);
      const written = await shadow.write(["write-tree", "--missing-ok"], { env: { GIT_INDEX_FILE: copy } });
      const args = ["commit-tree", "--no-gpg-sign", written.out.trim()];
      return (await shadow.write(args, { input: "Gantry index\n", env: { ...OWN_COMMIT, ...SAME_TIME } })).out.trim();
    } finally {
      rmSync(copy, { force: true });
    }
  });
}

/** Before the first commit everything is new. */
async function emptyTree(tree: WorkTree): Promise<string> {
  return (await tree.shadow.write(["mktree"], { input: "" })).out.trim();
}

async function existing(tree: WorkTree, name: string): Promise<string> {
  const { code } = await tree.shadow.read(["cat-file", "-e", `${name}^{tree}`], { answers: [1, 128] });
  if (code === 0) return name;
  throw new GantryError("no_checkpoint", `The commit ${name.slice(0, 12)} no longer exists.`, {
    remedy: "List the changes again.",
  });
}
