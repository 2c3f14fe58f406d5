import {
  type Envelope,
  type ForkSession,
  GantryError,
  type IdKind,
  type Reverted,
  type RevertTurn,
  type RouteQuery,
  type Session,
  type TurnDiff,
  type TurnList,
  type TurnRow,
  type UndoRevert,
} from "@gantry/protocol";
import type { Jobs } from "../jobs/jobs.ts";
import { type Forkable, type ForkParts, Forks } from "./forks.ts";
import type { CheckpointService } from "./port.ts";
import { REVERTS } from "./retention.ts";
import { type Aim, previewRevert } from "./revert/preview-revert.ts";
import { REVERT, type RevertData, type RevertRecord } from "./revert/revert-plan.ts";
import type { TurnCheckpoints, TurnCheckpointsDeps } from "./turn-checkpoints.ts";
import { turnsOf } from "./turns.ts";
import { changesBetween, describeChanges, patchBetween, sumChanges } from "./work-tree/diff.ts";
import { type RawPath, rawPathFrom } from "./work-tree/paths.ts";
import type { Missing } from "./work-tree/place.ts";
import { leftOutOf } from "./work-tree/snapshot.ts";
import type { WorkTree } from "./work-tree/work-tree.ts";

export type CheckpointDeps = TurnCheckpointsDeps & {
  jobs: Jobs;
  turnCheckpoints: TurnCheckpoints;
  id: (kind: IdKind) => string;
  sessions: Forkable;
  lanes: ForkParts["lanes"];
};

const LISTED = 5000;
const PATCH_BYTES = 1_000_000;

/** The subject of a revert, in the terms of the API. */
type Subject = { session: string; cwd: string; turn?: string; to: "before" | "after"; discards?: true };

export class Checkpoints implements CheckpointService {
  readonly #deps: CheckpointDeps;
  readonly #forks: Forks;

  constructor(deps: CheckpointDeps) {
    this.#deps = deps;
    const waitForStored = (session: string) => deps.turnCheckpoints.waitForStored(session);
    const restoreTo = (session: string, cwd: string, commit: string) => this.#restoreTo(session, cwd, commit);
    this.#forks = new Forks({ ...deps, settled: waitForStored, restoreTo });
  }

  async turns(session: string): Promise<TurnList> {
    this.#cwd(session);
    const stored = await this.#deps.retention.storedOf(session);
    const rows = this.#deps.store.turnEvents(session);
    return {
      turns: turnsOf(
        rows.map(({ json }) => JSON.parse(json) as Envelope),
        stored,
      ),
    };
  }

  async diff(session: string, turn: string, query: RouteQuery<"turnDiff">): Promise<TurnDiff> {
    const cwd = this.#cwd(session);
    const row = await this.turn(session, turn);
    const live = row.outcome === undefined;
    const tree = await this.#deps.places.of(cwd);
    const history = live ? undefined : this.#deps.retention.readerOf(session);
    const reader = "missing" in tree ? history : tree.shadow;
    if (!reader) throw noCheckpoints(cwd, tree as Missing);
    // The root of a missing folder is unknown.
    const root = "missing" in tree ? cwd : tree.place.root;
    const before = requireCommit(row.checkpoint.before, turn);
    const after =
      "missing" in tree || !live ? requireCommit(row.checkpoint.after, turn) : (await tree.snapshot()).commit;
    const only = query.path === undefined ? [] : [requirePathInside(root, cwd, query.path)];
    const { context, bytes: most = PATCH_BYTES } = query;
    const [changes, { patch, cut }, ...left] = await Promise.all([
      changesBetween(reader, before, after, { only }),
      patchBetween(reader, before, after, { context, most, only }),
      leftOutOf(reader, before),
      leftOutOf(reader, after),
    ]);
    const shared = live ? undefined : row.diff?.shared;
    return {
      turn,
      root,
      before,
      after,
      live,
      files: describeChanges(changes, root, cwd, LISTED),
      total: { ...sumChanges(changes), ...(shared ? { shared } : {}) },
      patch,
      cut: cut || changes.length > LISTED,
      left: [...new Map(left.flat().map((one) => [one.path, one])).values()],
    };
  }

  async revert(session: string, turn: string, body: RevertTurn): Promise<Reverted> {
    const cwd = this.#cwd(session);
    const { checkpoint } = await this.turn(session, turn);
    const tree = await this.#tree(cwd);
    const to = body.to ?? "before";
    const [before, after] = [requireCommit(checkpoint.before, turn), requireCommit(checkpoint.after, turn)];
    const only = body.paths?.map((path) => requirePathInside(tree.place.root, cwd, path));
    const aim = to === "before" ? { from: after, to: before, only } : { from: before, to: after, only };
    return this.#go(tree, { session, cwd, turn, to }, aim, body);
  }

  async undo(session: string, revert: string, body: UndoRevert): Promise<Reverted> {
    const cwd = this.#cwd(session);
    const record = this.#deps.store.records<RevertRecord>(REVERTS).get(revert);
    if (record?.session !== session) throw new GantryError("no_such_revert", `${session} has no revert ${revert}.`);
    const stored = await this.#deps.retention.storedOf(session);
    const to = requireCommit(stored.get(`${revert}/before`)?.commit, revert);
    const from = requireCommit(stored.get(`${revert}/after`)?.commit, revert);
    const back = record.to === "before" ? ("after" as const) : ("before" as const);
    return this.#go(await this.#tree(cwd), { session, cwd, to: back }, { from, to }, body);
  }

  /** Restores files like a revert: `aim.from` is the state that the caller saw. The result has an `undo`. */
  async restore(session: string, aim: Aim, options: UndoRevert): Promise<Reverted> {
    const cwd = this.#cwd(session);
    const tree = await this.#tree(cwd);
    this.#deps.retention.note(session, tree.place);
    return this.#go(tree, { session, cwd, to: "before", discards: true }, aim, options);
  }

  fork(session: string, body: ForkSession): Promise<Session> {
    return this.#forks.fork(session, body);
  }

  /** Replaces the current files. The result can be undone like a revert. */
  async #restoreTo(session: string, cwd: string, commit: string): Promise<void> {
    const tree = await this.#tree(cwd);
    this.#deps.retention.note(session, tree.place);
    const { commit: from } = await tree.snapshot();
    await this.#go(tree, { session, cwd, to: "after" }, { from, to: commit }, { force: true });
  }

  /** Holds the work tree's lock from the comparison of the files to the last write. */
  #go(tree: WorkTree, subject: Subject, aim: Aim, { dry = false, force = false }: UndoRevert): Promise<Reverted> {
    const { cwd, turn, to } = subject;
    return tree.runLocked(async () => {
      const { commit } = await tree.now();
      const { files, changes } = await previewRevert(tree, cwd, aim, commit);
      if (aim.only && files.length === 0) throw noSuchFiles(turn === undefined);
      const answer = { ...(turn ? { turn } : {}), to, done: false, files };
      if (dry || changes.length === 0) return answer;
      this.#refuseRunning(tree);
      if (!force && files.some(({ conflict }) => conflict)) throw changedSince(files);
      const job = this.#deps.id("job");
      const paths = changes.map(({ path }) => path);
      const data: RevertData = { ...subject, job, target: aim.to, paths, files };
      this.#deps.jobs.start(REVERT, job, data);
      await this.#deps.jobs.outcome(job);
      this.#deps.jobs.forget(job);
      return { ...answer, done: true, undo: job };
    });
  }

  #refuseRunning({ place }: WorkTree): void {
    const [busy] = this.#deps.turnCheckpoints.listRunningSessions(place.root);
    if (!busy) return;
    throw new GantryError("turn_running", `A turn of ${busy} is running in ${place.root}.`, {
      remedy: "Interrupt it, or wait until it ends.",
    });
  }

  /** A turn, once its checkpoints are stored. Throws `no_such_turn`. */
  async turn(session: string, turn: string): Promise<TurnRow> {
    await this.#deps.turnCheckpoints.waitForStored(session);
    const row = (await this.turns(session)).turns.find((one) => one.turn === turn);
    if (row) return row;
    throw new GantryError("no_such_turn", `${session} has no turn ${turn}.`, { remedy: "`gantry turns` lists them." });
  }

  async #tree(cwd: string): Promise<WorkTree> {
    const tree = await this.#deps.places.of(cwd);
    if ("missing" in tree) throw noCheckpoints(cwd, tree);
    return tree;
  }

  #cwd(session: string): string {
    const row = this.#deps.store.sessions.get(session);
    if (row) return row.view.cwd;
    throw new GantryError("no_such_session", `There is no session ${session}.`, { remedy: "`gantry ls` lists them." });
  }
}

export function requirePathInside(root: string, cwd: string, path: string): RawPath {
  const raw = path.includes("\0") ? undefined : rawPathFrom(root, cwd, path);
  if (raw !== undefined) return raw;
  throw new GantryError("invalid", `${path} is outside ${root}.`);
}

export function noCheckpoints(cwd: string, { missing, remedy }: Missing): GantryError {
  return new GantryError("no_checkpoint", `There are no checkpoints of ${cwd}: ${missing}.`, { remedy });
}

export function requireCommit(commit: string | undefined, of: string): string {
  if (commit) return commit;
  throw new GantryError("no_checkpoint", `There is no checkpoint of ${of}. It may have expired.`, {
    remedy: "The session's notices explain why. See checkpoints.days and checkpoints.keep in config.yml.",
  });
}

function noSuchFiles(discards: boolean): GantryError {
  const what = discards ? "None of these files changed." : "The turn changed none of these files.";
  return new GantryError("invalid", what, { remedy: "`gantry diff` lists them." });
}

function changedSince(files: Reverted["files"]): GantryError {
  const hit = files.filter(({ conflict }) => conflict);
  const names = hit.slice(0, 3).map(({ path }) => path);
  const more = hit.length > 3 ? ` and ${hit.length - 3} more` : "";
  return new GantryError("conflict", `Changed since that turn: ${names.join(", ")}${more}. Nothing was reverted.`, {
    remedy: "Select other files, or use `force`. The current files are saved, and undo restores them.",
    details: { files },
  });
}
