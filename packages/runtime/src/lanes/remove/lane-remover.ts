import { existsSync } from "node:fs";
import { GantryError, type LaneRemoved, type LaneUndo } from "@gantry/protocol";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Records, Store } from "../../log/port.ts";
import type { CreateData } from "../create/create-plan.ts";
import { removeSetupOutput } from "../create/setup.ts";
import { commitOf } from "../git/commits.ts";
import { deleteRef, listRefs } from "../git/refs.ts";
import { listWorktrees } from "../git/worktrees.ts";
import { noSuchLane } from "../inspect/lane-views.ts";
import { freeName } from "../names.ts";
import type { LaneRecord } from "../port.ts";
import { findActivity, refusal, workAtRisk } from "./blockers.ts";
import { REMOVE, type RemoveData, type RemovePlanDeps, removePlan } from "./remove-plan.ts";
import { readSavedWork, type SavedWork, UNDO_REFS, undoRef } from "./saved-work.ts";

export type LaneRemoverDeps = Omit<RemovePlanDeps, "forget"> & {
  store: Store;
  jobs: Jobs;
  id: (kind: "job") => string;
  now: () => string;
  logPath: (lane: string) => string;
};

/** The name of `saved` in records of earlier versions. */
const OLD_FIELD = "kept"; // prose-ignore: stored field

/** A removed lane. */
type Removed = { lane: LaneRecord; saved?: SavedWork; [OLD_FIELD]?: SavedWork; removedAt: string };

function upgrade({ [OLD_FIELD]: old, saved = old, ...removed }: Removed): Removed {
  return { ...removed, ...(saved ? { saved } : {}) };
}

/** Removes lanes and plans their restoration. */
export class LaneRemover {
  readonly #deps: LaneRemoverDeps;
  readonly #removed: Records<Removed>;

  constructor(deps: LaneRemoverDeps) {
    this.#deps = deps;
    this.#removed = deps.store.records("lane-undo");
    deps.jobs.register(removePlan({ ...deps, forget: (lane, saved) => this.#forget(lane, saved) }));
  }

  wasRemoved(id: string): boolean {
    return this.#removed.get(id) !== undefined;
  }

  async remove(record: LaneRecord, force: boolean): Promise<LaneRemoved> {
    const { records } = this.#deps;
    if (record.state === "removing") return this.#outcome(record.job ?? "");
    if (record.state === "creating") {
      throw new GantryError("conflict", `The lane ${record.name} is still being created.`, {
        remedy: "Wait until it is ready.",
      });
    }
    if (record.kind === "attached") return this.#detach(record);
    if (record.state === "failed") {
      records.delete(record.id);
      return { removed: true, notices: ["The lane had never been created. Only its entry was deleted."] };
    }
    await this.#refuse(record, force);
    return this.#outcome(this.#begin(record, force));
  }

  /** Removed lanes, newest first. */
  async undos(commonDir?: string): Promise<LaneUndo[]> {
    const known = this.#removed
      .list()
      .map(upgrade)
      .filter(({ lane }) => commonDir === undefined || lane.commonDir === commonDir);
    const listed = await Promise.all(known.map((removed) => this.#listUndos(removed)));
    return listed.flat().sort((a, b) => (a.removedAt < b.removedAt ? 1 : -1));
  }

  /** The plan that restores a lane. Throws `no_such_lane`, `conflict`, `invalid`. */
  async plan(id: string, ports: number, ref?: string): Promise<CreateData> {
    const record = this.#deps.records.get(id);
    if (record) return this.#remake(record, ports);
    const removed = this.#find(id);
    if (!removed) throw noSuchLane(id);
    const { lane } = removed;
    const { git } = this.#deps;
    const saved = ref === undefined ? removed.saved : await readSavedWork(git, lane.repository, ref);
    if (existsSync(lane.path)) throw pathTaken(lane.path);
    const commit = saved?.head ?? lane.base.commit;
    const { branch, newBranch, detached } = await this.#branchFor(lane, saved);
    const back: LaneRecord = { ...lane, branch, setup: { state: "none" }, notices: [] };
    return { lane: back, commit, ports, bare: false, newBranch, detached, ...(saved ? { saved } : {}) };
  }

  /** Called when the lane exists again. Deletes its undo ref and record. */
  async forgetRestored(id: string): Promise<void> {
    const removed = this.#find(id);
    if (!removed) return;
    const { lane, saved } = removed;
    if (saved) await deleteRef(this.#deps.git, lane.repository, saved.ref);
    this.#removed.delete(id);
  }

  #find(id: string): Removed | undefined {
    const removed = this.#removed.get(id);
    return removed && upgrade(removed);
  }

  async #refuse(record: LaneRecord, force: boolean): Promise<void> {
    const { git, facts, sessions, release } = this.#deps;
    const work = await workAtRisk(git, facts, record);
    const blockers = force ? work.filter((one) => one.final) : work;
    if (blockers.length > 0) {
      const activity = force ? [] : await findActivity(record, sessions(record));
      throw refusal(record, [...blockers, ...activity]);
    }
    if (force) return;
    // An idle agent restarts when it is needed, so it does not block the removal.
    await Promise.all(sessions(record).flatMap(({ id, busy }) => (busy ? [] : [release(id)])));
    const activity = await findActivity(record, sessions(record));
    if (activity.length > 0) throw refusal(record, activity);
  }

  #begin(record: LaneRecord, force: boolean): string {
    const { records, jobs, id, now } = this.#deps;
    // A concurrent request may have started the removal during the checks.
    const current = records.get(record.id);
    if (current?.state === "removing" && current.job) return current.job;
    const job = id("job");
    const data: RemoveData = { lane: record, force, before: record.state, ref: undoRef(record.id, now()), notices: [] };
    records.put({ ...record, state: "removing", job });
    jobs.start(REMOVE, job, data);
    return job;
  }

  async #outcome(job: string): Promise<LaneRemoved> {
    const { jobs } = this.#deps;
    try {
      const { lane, saved, notices } = await jobs.outcome<RemoveData>(job);
      const how = `\`gantry lanes undo ${lane.id}\` restores it.`;
      if (!saved) return { removed: true, notices };
      return { removed: true, undo: saved.ref, notices: [...notices, `Its content is saved as ${saved.ref}. ${how}`] };
    } finally {
      jobs.forget(job);
    }
  }

  /** An adopted worktree existed before Gantry knew it, so it stays. */
  #detach(record: LaneRecord): LaneRemoved {
    this.#deps.records.delete(record.id);
    removeSetupOutput(this.#deps.logPath(record.id));
    const where = record.branch ? `${record.path} and its branch ${record.branch}` : record.path;
    return {
      removed: true,
      notices: [`Gantry adopted this lane and did not create it. ${where} were left unchanged.`],
    };
  }

  #forget(lane: LaneRecord, saved: SavedWork | undefined): void {
    const { records, now, logPath } = this.#deps;
    const { job, ...rest } = lane;
    if (!this.#removed.get(lane.id)) {
      this.#removed.put(lane.id, { lane: { ...rest, state: "ready" }, removedAt: now(), ...(saved ? { saved } : {}) });
    }
    removeSetupOutput(logPath(lane.id));
    records.delete(lane.id);
  }

  async #listUndos({ lane, removedAt, saved }: Removed): Promise<LaneUndo[]> {
    if (!saved || !existsSync(lane.repository)) return [];
    const prefix = `${UNDO_REFS}/${saved.ref.split("/")[3]}`;
    const refs = await listRefs(this.#deps.git, lane.repository, prefix).catch(() => []);
    const { id, name, repository, path, branch } = lane;
    return refs.map((ref) => ({
      lane: id,
      name,
      repository,
      path,
      ...(branch ? { branch } : {}),
      ref: ref.name,
      commit: ref.commit,
      removedAt,
    }));
  }

  /** The folder of a known lane is missing. Its branch has every commit. */
  async #remake(record: LaneRecord, ports: number): Promise<CreateData> {
    if (existsSync(record.path)) {
      throw new GantryError("conflict", `The lane ${record.name} already exists: ${record.path}.`);
    }
    const { git } = this.#deps;
    const tip = record.branch && (await commitOf(git, record.repository, `refs/heads/${record.branch}`));
    const commit = tip || record.base.commit;
    const { newBranch, detached } = await this.#branchFor(record, undefined);
    return { lane: record, commit, ports, bare: false, newBranch, detached, before: record };
  }

  /** The branch of a restored lane: its own, one with another name if that is taken, or none if it is in use. */
  async #branchFor(lane: LaneRecord, saved: SavedWork | undefined) {
    const { git } = this.#deps;
    const { repository, branch, ownBranch } = lane;
    if (branch === undefined) return { newBranch: false, detached: true };
    const tip = await commitOf(git, repository, `refs/heads/${branch}`);
    const inUse = (await listWorktrees(git, repository)).some(
      (tree) => tree.branch === branch && tree.path !== lane.path,
    );
    const elsewhere = saved !== undefined && saved.head !== (ownBranch ? saved.tip : tip);
    if (tip === undefined) return { branch, newBranch: !elsewhere, detached: elsewhere };
    if (ownBranch && saved && tip !== saved.tip) {
      const { out } = await git.read(repository, ["for-each-ref", "--format=%(refname)", "refs/heads"]);
      const taken = new Set(out.split("\n"));
      return {
        branch: freeName(branch, (name) => taken.has(`refs/heads/${name}`)),
        newBranch: true,
        detached: elsewhere,
      };
    }
    return { branch, newBranch: false, detached: inUse || elsewhere };
  }
}

function pathTaken(path: string): GantryError {
  return new GantryError("conflict", `${path} already exists.`, { remedy: "Move it, then try again." });
}
