import { existsSync } from "node:fs";
import { GantryError, type LaneRemoved, type LaneUndo } from "@gantry/protocol";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Records, Store } from "../../log/port.ts";
import { commitOf } from "../git/commits.ts";
import { deleteRef, listRefs } from "../git/refs.ts";
import { listWorktrees } from "../git/worktrees.ts";
import type { CreateData } from "../making/create-plan.ts";
import { removeSetupOutput } from "../making/setup.ts";
import { freeName } from "../names.ts";
import type { LaneRecord } from "../port.ts";
import { noSuchLane } from "../seeing/views.ts";
import { peopleAtWork, refusal, workAtRisk } from "./hindrances.ts";
import { type Kept, readKept, UNDO_REFS, undoRef } from "./kept.ts";
import { REMOVE, type RemoveData, type RemovingDeps, removePlan } from "./remove-plan.ts";

export type RemovalDeps = Omit<RemovingDeps, "forget"> & {
  store: Store;
  jobs: Jobs;
  id: (kind: "job") => string;
  now: () => string;
  logPath: (lane: string) => string;
};

/** A lane that was removed, as it was. */
type Removed = { lane: LaneRecord; kept?: Kept; removedAt: string };

/** How lanes go, and how they are had back. */
export class Removal {
  readonly #deps: RemovalDeps;
  readonly #removed: Records<Removed>;

  constructor(deps: RemovalDeps) {
    this.#deps = deps;
    this.#removed = deps.store.records("lane-undo");
    deps.jobs.register(removePlan({ ...deps, forget: (lane, kept) => this.#forget(lane, kept) }));
  }

  wasRemoved(id: string): boolean {
    return this.#removed.get(id) !== undefined;
  }

  async remove(record: LaneRecord, force: boolean): Promise<LaneRemoved> {
    const { records } = this.#deps;
    if (record.state === "removing") return this.#outcome(record.job ?? "");
    if (record.state === "creating") {
      throw new GantryError("conflict", `The lane ${record.name} is still being made.`, { remedy: "Wait for it." });
    }
    if (record.kind === "attached") return this.#letGo(record);
    if (record.state === "failed") {
      records.delete(record.id);
      return { removed: true, notices: ["It had never been made; nothing but its entry is gone."] };
    }
    await this.#refuse(record, force);
    return this.#outcome(this.#begin(record, force));
  }

  /** Removed lanes, the newest first. Of `commonDir` also those that no record tells of any more. */
  async undos(commonDir?: string): Promise<LaneUndo[]> {
    const known = this.#removed.list().filter(({ lane }) => commonDir === undefined || lane.commonDir === commonDir);
    const listed = await Promise.all(known.map((removed) => this.#shown(removed)));
    return listed.flat().sort((a, b) => (a.removedAt < b.removedAt ? 1 : -1));
  }

  /** What is to be made to have a lane back. Throws `no_such_lane`, `conflict`, `invalid`. */
  async plan(id: string, ports: number, ref?: string): Promise<CreateData> {
    const record = this.#deps.records.get(id);
    if (record) return this.#remake(record, ports);
    const removed = this.#removed.get(id);
    if (!removed) throw noSuchLane(id);
    const { lane } = removed;
    const { git } = this.#deps;
    const kept = ref === undefined ? removed.kept : await readKept(git, lane.repository, ref);
    if (existsSync(lane.path)) throw inTheWay(lane.path);
    const commit = kept?.head ?? lane.base.commit;
    const { branch, newBranch, detached } = await this.#branchFor(lane, kept);
    const back: LaneRecord = { ...lane, branch, setup: { state: "none" }, notices: [] };
    return { lane: back, commit, ports, bare: false, newBranch, detached, ...(kept ? { kept } : {}) };
  }

  /** It is there again: the ref has done its service. */
  async restored(id: string): Promise<void> {
    const removed = this.#removed.get(id);
    if (!removed) return;
    const { lane, kept } = removed;
    if (kept) await deleteRef(this.#deps.git, lane.repository, kept.ref);
    this.#removed.delete(id);
  }

  async #refuse(record: LaneRecord, force: boolean): Promise<void> {
    const { git, facts, sessions, release } = this.#deps;
    const work = await workAtRisk(git, facts, record);
    const hindrances = force ? work.filter((one) => one.final) : work;
    if (hindrances.length > 0) {
      const people = force ? [] : await peopleAtWork(record, sessions(record));
      throw refusal(record, [...hindrances, ...people]);
    }
    if (force) return;
    // An idle agent comes back by itself when it is needed; it is nobody at work.
    await Promise.all(sessions(record).flatMap(({ id, busy }) => (busy ? [] : [release(id)])));
    const people = await peopleAtWork(record, sessions(record));
    if (people.length > 0) throw refusal(record, people);
  }

  #begin(record: LaneRecord, force: boolean): string {
    const { records, jobs, id, now } = this.#deps;
    // Another request may have begun it while this one looked around.
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
      const { lane, kept, notices } = await jobs.outcome<RemoveData>(job);
      const how = `\`gantry lanes undo ${lane.id}\` brings it back.`;
      if (!kept) return { removed: true, notices };
      return { removed: true, undo: kept.ref, notices: [...notices, `What was in it is kept as ${kept.ref}: ${how}`] };
    } finally {
      jobs.forget(job);
    }
  }

  /** It was there before Gantry knew it, and stays. */
  #letGo(record: LaneRecord): LaneRemoved {
    this.#deps.records.delete(record.id);
    removeSetupOutput(this.#deps.logPath(record.id));
    const where = record.branch ? `${record.path} and its branch ${record.branch}` : record.path;
    return { removed: true, notices: [`It was adopted and not made by Gantry, so ${where} stay as they are.`] };
  }

  #forget(lane: LaneRecord, kept: Kept | undefined): void {
    const { records, now, logPath } = this.#deps;
    const { job, ...rest } = lane;
    if (!this.#removed.get(lane.id)) {
      this.#removed.put(lane.id, { lane: { ...rest, state: "ready" }, removedAt: now(), ...(kept ? { kept } : {}) });
    }
    removeSetupOutput(logPath(lane.id));
    records.delete(lane.id);
  }

  async #shown({ lane, removedAt, kept }: Removed): Promise<LaneUndo[]> {
    if (!kept || !existsSync(lane.repository)) return [];
    const prefix = `${UNDO_REFS}/${kept.ref.split("/")[3]}`;
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

  /** The folder of a lane is gone while Gantry still knows it: its branch has all that was committed. */
  async #remake(record: LaneRecord, ports: number): Promise<CreateData> {
    if (existsSync(record.path)) {
      throw new GantryError("conflict", `The lane ${record.name} is there: ${record.path}.`);
    }
    const { git } = this.#deps;
    const tip = record.branch && (await commitOf(git, record.repository, `refs/heads/${record.branch}`));
    const commit = tip || record.base.commit;
    const { newBranch, detached } = await this.#branchFor(record, undefined);
    return { lane: record, commit, ports, bare: false, newBranch, detached, before: record };
  }

  /** The branch that it gets: its own, one of another name where somebody has taken that, or none where it is in use. */
  async #branchFor(lane: LaneRecord, kept: Kept | undefined) {
    const { git } = this.#deps;
    const { repository, branch, ownBranch } = lane;
    if (branch === undefined) return { newBranch: false, detached: true };
    const tip = await commitOf(git, repository, `refs/heads/${branch}`);
    const inUse = (await listWorktrees(git, repository)).some(
      (tree) => tree.branch === branch && tree.path !== lane.path,
    );
    const elsewhere = kept !== undefined && kept.head !== (ownBranch ? kept.tip : tip);
    if (tip === undefined) return { branch, newBranch: !elsewhere, detached: elsewhere };
    if (ownBranch && kept && tip !== kept.tip) {
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

function inTheWay(path: string): GantryError {
  return new GantryError("conflict", `${path} is in the way.`, { remedy: "Move it elsewhere, then try again." });
}
