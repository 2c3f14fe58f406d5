import { existsSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { GantryError, type LaneState } from "@gantry/protocol";
import type { Plan } from "../../jobs/job.ts";
import { reap } from "../../process/stop.ts";
import { commitOf } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { forgetWorktree, isLinkedTo, listWorktrees } from "../git/worktrees.ts";
import type { GitFacts } from "../inspect/git-facts.ts";
import type { SessionPlace } from "../inspect/session-places.ts";
import type { LaneRecord } from "../port.ts";
import { isInside, type LaneRecords } from "../records.ts";
import { findActivity, refusal, workAtRisk } from "./blockers.ts";
import { endProcesses, processesInside } from "./processes-inside.ts";
import { type SavedWork, saveWork } from "./saved-work.ts";

export type RemovePlanDeps = {
  git: Git;
  facts: GitFacts;
  records: LaneRecords;
  sessions: (lane: LaneRecord) => SessionPlace[];
  /** Stops a session's turn and closes its process. The session itself stays. */
  release: (session: string) => Promise<void>;
  /** Replaces the lane's record with one that can restore it. */
  forget: (lane: LaneRecord, saved: SavedWork | undefined) => void;
};

export type RemoveData = {
  lane: LaneRecord;
  force: boolean;
  /** The lane's state before the removal. */
  before: LaneState;
  ref: string;
  saved?: SavedWork;
  notices: string[];
};

export const REMOVE = "lane.remove";

/** Replaces a lane with a record of it. Nothing changes before `remove`; after it only the undo ref can restore the lane. */
export function removePlan(deps: RemovePlanDeps): Plan<RemoveData> {
  return {
    kind: REMOVE,
    steps: [
      { name: "check", run: (data) => check(deps, data) },
      { name: "stop", run: (data) => stop(deps, data) },
      { name: "keep", run: async ({ lane, ref }) => ({ saved: await saveWork(deps.git, lane, ref) }) },
      { name: "remove", run: (data) => remove(deps, data) },
      { name: "branch", run: (data) => removeBranch(deps, data) },
      {
        name: "forget",
        run: async ({ lane, saved }) => {
          deps.forget(lane, saved);
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

async function check({ git, facts, sessions }: RemovePlanDeps, { lane, force }: RemoveData): Promise<undefined> {
  const work = await workAtRisk(git, facts, lane);
  const blockers = force
    ? work.filter((one) => one.final)
    : [
        ...work,
        ...(await findActivity(
          lane,
          sessions(lane).filter(({ busy }) => busy),
        )),
      ];
  if (blockers.length > 0) throw refusal(lane, blockers);
  return undefined;
}

/** Ends the processes that Gantry started there. Processes of the user keep running and are reported. */
async function stop(
  { sessions, release }: RemovePlanDeps,
  { lane, notices }: RemoveData,
): Promise<Partial<RemoveData>> {
  await Promise.all(sessions(lane).map(({ id }) => release(id)));
  await reap({ id: lane.id, pgid: 0 });
  if (!existsSync(lane.path)) return {};
  const inside = await processesInside(lane.path);
  await endProcesses(inside.filter(({ marker }) => marker !== undefined).map(({ pid }) => pid));
  const left = inside.filter(({ marker }) => marker === undefined);
  if (left.length === 0) return {};
  const processes = left.map(({ pid, command }) => `${command} (${pid})`).join(", ");
  return { notices: [...notices, `Still running in the removed folder: ${processes}.`] };
}

/**
 * Renames the folder first and deletes it afterwards, so that no reader finds a partial lane. Files that the system
 * does not delete are reported and left.
 */
async function remove({ git, facts }: RemovePlanDeps, { lane, notices }: RemoveData): Promise<Partial<RemoveData>> {
  const { id, repository, commonDir, path } = lane;
  const doomed = join(dirname(path), `.${basename(path)}.${id}.removed`);
  if (existsSync(path)) {
    // Never the primary work tree, and never a folder that was replaced.
    if (!isLinkedTo(path, commonDir) || isInside(repository, path)) throw notAWorktree(lane);
    renameSync(path, doomed);
  }
  const left = await clear(doomed);
  await forgetWorktree(git, repository, path);
  facts.forget(repository, path);
  return left ? { notices: [...notices, `Some files could not be removed (${left}). They are in ${doomed}.`] } : {};
}

function clear(folder: string): Promise<string | undefined> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 }).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

function notAWorktree({ path, repository }: LaneRecord): GantryError {
  return new GantryError("conflict", `${path} is no longer a worktree of ${repository}. It was left unchanged.`, {
    remedy: "Move it, or repair it with `git worktree repair`. Then remove the lane.",
  });
}

/** Deletes a branch that Gantry created, if its tip is still the saved one. */
async function removeBranch({ git, facts }: RemovePlanDeps, { lane, saved }: RemoveData): Promise<undefined> {
  const { repository, path, branch, ownBranch } = lane;
  if (branch === undefined || !ownBranch || !saved?.tip) return undefined;
  const tip = await commitOf(git, repository, `refs/heads/${branch}`);
  const used = (await listWorktrees(git, repository)).some((tree) => tree.branch === branch);
  if (tip === saved.tip && !used) await git.write(repository, ["branch", "-D", "--", branch]);
  facts.forget(repository, path);
  return undefined;
}
