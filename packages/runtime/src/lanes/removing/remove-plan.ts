import { existsSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { GantryError, type LaneState } from "@gantry/protocol";
import type { Plan } from "../../jobs/job.ts";
import { reap } from "../../process/stop.ts";
import { commitOf } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { forgetWorktree, isLinkedTo, listWorktrees } from "../git/worktrees.ts";
import type { LaneRecord } from "../port.ts";
import { isInside, type LaneRecords } from "../records.ts";
import type { Facts } from "../seeing/facts.ts";
import type { SessionPlace } from "../seeing/places.ts";
import { peopleAtWork, refusal, workAtRisk } from "./hindrances.ts";
import { endProcesses, processesInside } from "./inside.ts";
import { type Kept, keep } from "./kept.ts";

export type RemovingDeps = {
  git: Git;
  facts: Facts;
  records: LaneRecords;
  sessions: (lane: LaneRecord) => SessionPlace[];
  /** Lets go of a session's process, and of its turn where it has one. The session stays. */
  release: (session: string) => Promise<void>;
  /** All that is left of the lane is a record of how to get it back. */
  forget: (lane: LaneRecord, kept: Kept | undefined) => void;
};

export type RemoveData = {
  lane: LaneRecord;
  force: boolean;
  /** What the lane was before. */
  before: LaneState;
  ref: string;
  kept?: Kept;
  notices: string[];
};

export const REMOVE = "lane.remove";

/** From a lane to a record of it. Before `remove` nothing of it is touched; from then on there is no way back but its ref. */
export function removePlan(deps: RemovingDeps): Plan<RemoveData> {
  return {
    kind: REMOVE,
    steps: [
      { name: "check", run: (data) => check(deps, data) },
      { name: "stop", run: (data) => stop(deps, data) },
      { name: "keep", run: async ({ lane, ref }) => ({ kept: await keep(deps.git, lane, ref) }) },
      { name: "remove", run: (data) => remove(deps, data) },
      { name: "branch", run: (data) => removeBranch(deps, data) },
      {
        name: "forget",
        run: async ({ lane, kept }) => {
          deps.forget(lane, kept);
          return undefined;
        },
      },
    ],
    undo: async ({ lane, before }) => {
      deps.records.change(lane.id, { state: before });
      return undefined;
    },
  };
}

async function check({ git, facts, sessions }: RemovingDeps, { lane, force }: RemoveData): Promise<undefined> {
  const work = await workAtRisk(git, facts, lane);
  const hindrances = force
    ? work.filter((one) => one.final)
    : [
        ...work,
        ...(await peopleAtWork(
          lane,
          sessions(lane).filter(({ busy }) => busy),
        )),
      ];
  if (hindrances.length > 0) throw refusal(lane, hindrances);
  return undefined;
}

/** Ends what Gantry started there. What a person started is left alone, and told. */
async function stop({ sessions, release }: RemovingDeps, { lane, notices }: RemoveData): Promise<Partial<RemoveData>> {
  await Promise.all(sessions(lane).map(({ id }) => release(id)));
  await reap({ id: lane.id, pgid: 0 });
  if (!existsSync(lane.path)) return {};
  const inside = await processesInside(lane.path);
  await endProcesses(inside.filter(({ marker }) => marker !== undefined).map(({ pid }) => pid));
  const left = inside.filter(({ marker }) => marker === undefined);
  if (left.length === 0) return {};
  const named = left.map(({ pid, command }) => `${command} (${pid})`).join(", ");
  return { notices: [...notices, `Still running, in a folder that is gone: ${named}.`] };
}

/**
 * The folder goes away under its name at once and file by file after that, so that nobody finds half a lane. What the
 * system does not let go of is told and left.
 */
async function remove({ git, facts }: RemovingDeps, { lane, notices }: RemoveData): Promise<Partial<RemoveData>> {
  const { id, repository, commonDir, path } = lane;
  const doomed = join(dirname(path), `.${basename(path)}.${id}.removed`);
  if (existsSync(path)) {
    // Never the primary work tree, and never a folder that has become something else.
    if (!isLinkedTo(path, commonDir) || isInside(repository, path)) throw notOurs(lane);
    renameSync(path, doomed);
  }
  const left = await clear(doomed);
  await forgetWorktree(git, repository, path);
  facts.forget(repository, path);
  return left
    ? { notices: [...notices, `Not all of its files could be removed (${left}). They are in ${doomed}.`] }
    : {};
}

function clear(folder: string): Promise<string | undefined> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 }).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

function notOurs({ path, repository }: LaneRecord): GantryError {
  return new GantryError("conflict", `${path} is no longer a worktree of ${repository}, so it is left as it is.`, {
    remedy: "Move it away, or repair it with `git worktree repair`; then remove the lane.",
  });
}

/** The branch that Gantry made goes too, as long as it is where it was when it was kept. */
async function removeBranch({ git, facts }: RemovingDeps, { lane, kept }: RemoveData): Promise<undefined> {
  const { repository, path, branch, ownBranch } = lane;
  if (branch === undefined || !ownBranch || !kept?.tip) return undefined;
  const tip = await commitOf(git, repository, `refs/heads/${branch}`);
  const used = (await listWorktrees(git, repository)).some((tree) => tree.branch === branch);
  if (tip === kept.tip && !used) await git.write(repository, ["branch", "-D", "--", branch]);
  facts.forget(repository, path);
  return undefined;
}
