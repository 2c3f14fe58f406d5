import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GantryError } from "@gantry/protocol";
import { type TrustItem, trustCommand } from "@gantry/trust";
import type { Plan } from "../../jobs/job.ts";
import { commitOf } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { setRef } from "../git/refs.ts";
import { addWorktree, forgetWorktree, isBeingAdded, isLinkedTo, listWorktrees } from "../git/worktrees.ts";
import type { GitFacts } from "../inspect/git-facts.ts";
import type { LaneRecord } from "../port.ts";
import { isLeased, leasePorts } from "../ports.ts";
import type { LaneRecords } from "../records.ts";
import { applySnapshot, type SavedWork } from "../remove/saved-work.ts";
import { listItems } from "../untrusted.ts";
import { copyUntracked } from "./copy-files.ts";
import type { LaneFile } from "./lane-file.ts";
import { fillSubmodules } from "./submodules.ts";

export type CreatePlanDeps = {
  git: Git;
  facts: GitFacts;
  records: LaneRecords;
  firstPort: () => number;
  /** Runs the lane's set-up command, if it has one, and stores its outcome. */
  setUp: (id: string) => Promise<void>;
  /** Deletes the record of the removal after the lane was restored. */
  restored: (id: string) => Promise<void>;
};

export type CreateData = {
  lane: LaneRecord;
  /** The start of the branch. */
  commit: string;
  ports: number;
  /** Absent: no files are copied and no command runs. */
  file?: LaneFile;
  bare: boolean;
  /** The branch did not exist before, so a rollback may delete it. */
  newBranch: boolean;
  /** For a lane that is restored: its content. */
  saved?: SavedWork;
  /** For a lane that is restored: HEAD was not on its branch. */
  detached?: boolean;
  /** For a lane whose folder was missing: its record if it cannot be recreated. */
  before?: LaneRecord;
};

export const CREATE = "lane.create";

/** Turns a choice into a usable lane. Until the lane is `ready` it contains no user's work and may be rolled back. */
export function createPlan(deps: CreatePlanDeps): Plan<CreateData> {
  return {
    kind: CREATE,
    steps: [
      { name: "reserve", run: (data) => reserve(deps, data) },
      { name: "worktree", run: (data) => createWorktree(deps, data) },
      { name: "files", run: (data) => fillIn(deps, data) },
      {
        name: "setup",
        run: async ({ lane, file }) => {
          if (file?.setup) await deps.setUp(lane.id);
          return undefined;
        },
      },
    ],
    undo: async (data, error) => {
      const { records } = deps;
      const { lane, before } = data;
      // A lane that was usable may contain work, so it is not rolled back.
      if (records.get(lane.id)?.state !== "creating") return undefined;
      try {
        await rollBack(deps, data);
      } finally {
        if (before) records.put(before);
        else records.change(lane.id, { state: "failed", ports: undefined, error });
      }
      return undefined;
    },
  };
}

async function reserve({ records, firstPort }: CreatePlanDeps, { lane, ports: count }: CreateData): Promise<undefined> {
  const known = records.get(lane.id);
  if (known?.job === lane.job) return undefined;
  const listOthers = () => records.list().filter(({ id }) => id !== lane.id);
  const had = lane.ports && !isLeased(lane.ports, listOthers()) ? lane.ports : undefined;
  const ports = had ?? (await leasePorts({ first: firstPort(), count }, listOthers));
  records.put({ ...lane, state: "creating", ports });
  return undefined;
}

async function createWorktree(deps: CreatePlanDeps, { lane, commit, detached, saved }: CreateData): Promise<undefined> {
  const { git, facts, records } = deps;
  const { id, repository, path, branch } = lane;
  if (await isComplete(git, repository, path)) return undefined;
  await clear(git, lane);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // The branch did not exist when its name was chosen, so an interrupted attempt created it.
  const there = branch !== undefined && (await commitOf(git, repository, `refs/heads/${branch}`)) !== undefined;
  if (branch !== undefined && detached && !there && saved?.tip)
    await setRef(git, repository, `refs/heads/${branch}`, saved.tip, "");
  const tree = branch === undefined || detached ? { path, commit } : { path, commit, branch, create: !there };
  const { withheld } = await addWorktree(git, repository, tree);
  facts.forget(repository, path);
  if (withheld.length > 0) notice(records, id, [withheldNotice(withheld, repository)]);
  return undefined;
}

async function fillIn(deps: CreatePlanDeps, { lane, file, saved, bare }: CreateData): Promise<undefined> {
  const { git, facts, records } = deps;
  const { id, repository, commonDir, path } = lane;
  // A completed run of this step: the lane may contain work by now.
  if (records.get(id)?.state !== "creating") return undefined;
  if (saved) await applySnapshot(git, path, saved);
  const submodules = await fillSubmodules(git, { gitDir: commonDir }, path);
  const copied = file && !bare ? await copyUntracked(git, repository, path, file.copy) : [];
  notice(records, id, [...submodules, ...copied]);
  if (saved) await deps.restored(id);
  facts.forget(repository, path);
  records.change(id, { state: "ready", ...(file?.setup ? { setup: { state: "running", command: file.setup } } : {}) });
  return undefined;
}

function withheldNotice(withheld: readonly TrustItem[], repository: string): string {
  const what = `This lane was created without ${listItems(withheld)}, because you have not trusted the repository.`;
  return `${what} Files have the content that git stores. To run them in new lanes: ${trustCommand(repository)}`;
}

function notice(records: LaneRecords, id: string, texts: readonly string[]): void {
  const record = records.get(id);
  if (record && texts.length > 0) records.put({ ...record, notices: [...new Set([...record.notices, ...texts])] });
}

const INITIALIZING = "initializing";
const PATIENCE_MS = 10 * 60_000;

/**
 * Whether the worktree exists and is complete. A git that outlived the daemon may still be creating it: it holds the
 * worktree's lock until it ends. A git that was killed leaves the lock behind.
 */
async function isComplete(git: Git, repository: string, path: string): Promise<boolean> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    const tree = (await listWorktrees(git, repository)).find((one) => one.path === path);
    if (!tree || tree.gone) return false;
    if (tree.locked !== INITIALIZING) return true;
    if (!isBeingAdded(path) || Date.now() > deadline) return false;
  }
}

/** Removes the remains of an interrupted attempt. Throws `conflict` for anything Gantry did not create. */
async function clear(git: Git, lane: LaneRecord): Promise<void> {
  const { repository, path } = lane;
  if (existsSync(path)) {
    if (!isFromAttempt(lane)) {
      throw new GantryError("conflict", `${path} already exists and is not a worktree of ${repository}.`, {
        remedy: "Move it, or choose another name.",
      });
    }
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
  await forgetWorktree(git, repository, path);
}

/** The path was free when it was chosen, so a worktree or an empty folder comes from an earlier attempt. */
function isFromAttempt({ path, commonDir }: LaneRecord): boolean {
  return isLinkedTo(path, commonDir) || readdirSync(path).length === 0;
}

async function rollBack({ git, facts }: CreatePlanDeps, { lane, commit, newBranch }: CreateData): Promise<void> {
  const { repository, path, branch } = lane;
  if (!existsSync(path) || isFromAttempt(lane)) await clear(git, lane);
  const tip = branch === undefined ? undefined : await commitOf(git, repository, `refs/heads/${branch}`);
  if (newBranch && tip === commit) await git.write(repository, ["branch", "-D", "--", branch ?? ""]);
  facts.forget(repository, path);
}
