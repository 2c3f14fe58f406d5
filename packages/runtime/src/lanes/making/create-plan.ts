import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GantryError } from "@gantry/protocol";
import type { Plan } from "../../jobs/job.ts";
import { commitOf } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { setRef } from "../git/refs.ts";
import { addWorktree, forgetWorktree, isBeingAdded, isLinkedTo, listWorktrees } from "../git/worktrees.ts";
import type { LaneRecord } from "../port.ts";
import { isLeased, leasePorts } from "../ports.ts";
import type { LaneRecords } from "../records.ts";
import { applySnapshot, type Kept } from "../removing/kept.ts";
import type { Facts } from "../seeing/facts.ts";
import { copyUntracked } from "./copy-files.ts";
import type { LaneFile } from "./lane-file.ts";
import { fillSubmodules } from "./submodules.ts";

export type MakingDeps = {
  git: Git;
  facts: Facts;
  records: LaneRecords;
  firstPort: () => number;
  /** Runs the lane's set-up command, where it has one, and keeps how it ended. */
  setUp: (id: string) => Promise<void>;
  /** A lane that was brought back is no longer one that was removed. */
  restored: (id: string) => Promise<void>;
};

export type CreateData = {
  lane: LaneRecord;
  /** What the branch begins at. */
  commit: string;
  ports: number;
  /** Absent: nothing is copied and nothing is run. */
  file?: LaneFile;
  bare: boolean;
  /** The branch was not there before, so it may be taken back. */
  newBranch: boolean;
  /** Of a lane that is brought back: what was in it. */
  kept?: Kept;
  /** Of a lane that is brought back: HEAD was not its branch. */
  detached?: boolean;
  /** Of a lane whose folder was gone: what it is when it cannot be made again. */
  before?: LaneRecord;
};

export const CREATE = "lane.create";

/** From a choice to a lane that can be worked in. Until the last step but one nothing in it can be anybody's work. */
export function createPlan(deps: MakingDeps): Plan<CreateData> {
  return {
    kind: CREATE,
    steps: [
      { name: "reserve", run: (data) => reserve(deps, data) },
      { name: "worktree", run: (data) => makeWorktree(deps, data) },
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
      // From the moment it could be worked in it is not ours to take back.
      if (records.get(lane.id)?.state !== "creating") return undefined;
      try {
        await takeBack(deps, data);
      } finally {
        if (before) records.put(before);
        else records.change(lane.id, { state: "failed", ports: undefined, error });
      }
      return undefined;
    },
  };
}

async function reserve({ records, firstPort }: MakingDeps, { lane, ports: count }: CreateData): Promise<undefined> {
  const known = records.get(lane.id);
  if (known?.job === lane.job) return undefined;
  const others = () => records.list().filter(({ id }) => id !== lane.id);
  const had = lane.ports && !isLeased(lane.ports, others()) ? lane.ports : undefined;
  const ports = had ?? (await leasePorts({ first: firstPort(), count }, others));
  records.put({ ...lane, state: "creating", ports });
  return undefined;
}

async function makeWorktree(deps: MakingDeps, { lane, commit, detached, kept }: CreateData): Promise<undefined> {
  const { git, facts, records } = deps;
  const { id, repository, path, branch } = lane;
  if (await isMade(git, repository, path)) return undefined;
  await clear(git, lane);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A branch of this name was not there when it was chosen: it is of an attempt that was cut off.
  const there = branch !== undefined && (await commitOf(git, repository, `refs/heads/${branch}`)) !== undefined;
  if (branch !== undefined && detached && !there && kept?.tip)
    await setRef(git, repository, `refs/heads/${branch}`, kept.tip, "");
  const tree = branch === undefined || detached ? { path, commit } : { path, commit, branch, create: !there };
  const { withheld } = await addWorktree(git, repository, tree);
  facts.forget(repository, path);
  if (withheld.length > 0) notice(records, id, [withheldNotice(withheld)]);
  return undefined;
}

async function fillIn(deps: MakingDeps, { lane, file, kept, bare }: CreateData): Promise<undefined> {
  const { git, facts, records } = deps;
  const { id, repository, commonDir, path } = lane;
  // It was done before and somebody may have worked there since.
  if (records.get(id)?.state !== "creating") return undefined;
  if (kept) await applySnapshot(git, path, kept);
  const submodules = await fillSubmodules(git, { gitDir: commonDir }, path);
  const copied = file && !bare ? await copyUntracked(git, repository, path, file.copy) : [];
  notice(records, id, [...submodules, ...copied]);
  if (kept) await deps.restored(id);
  facts.forget(repository, path);
  records.change(id, { state: "ready", ...(file?.setup ? { setup: { state: "running", command: file.setup } } : {}) });
  return undefined;
}

function withheldNotice(withheld: readonly string[]): string {
  const what = `Gantry made this lane without running ${withheld.join(", ")}, which the repository configures.`;
  return `${what} Files are as git stores them. If you trust the repository, run it in the lane yourself.`;
}

function notice(records: LaneRecords, id: string, texts: readonly string[]): void {
  const record = records.get(id);
  if (record && texts.length > 0) records.put({ ...record, notices: [...new Set([...record.notices, ...texts])] });
}

const INITIALIZING = "initializing";
const PATIENCE_MS = 10 * 60_000;

/**
 * Is the worktree there and whole? A git that outlived the daemon may still be at it: it holds the worktree locked until
 * it is done. One that was killed as well leaves the lock.
 */
async function isMade(git: Git, repository: string, path: string): Promise<boolean> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    const tree = (await listWorktrees(git, repository)).find((one) => one.path === path);
    if (!tree || tree.gone) return false;
    if (tree.locked !== INITIALIZING) return true;
    if (!isBeingAdded(path) || Date.now() > deadline) return false;
  }
}

/** Takes away what an attempt left that was cut off. Throws `conflict` for what is somebody else's. */
async function clear(git: Git, lane: LaneRecord): Promise<void> {
  const { repository, path } = lane;
  if (existsSync(path)) {
    if (!isOurs(lane)) {
      throw new GantryError("conflict", `${path} is there already and is no worktree of ${repository}.`, {
        remedy: "Move it elsewhere, or take another name.",
      });
    }
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
  await forgetWorktree(git, repository, path);
}

/** The path was free when it was chosen: a worktree or an empty folder is of an attempt of ours. */
function isOurs({ path, commonDir }: LaneRecord): boolean {
  return isLinkedTo(path, commonDir) || readdirSync(path).length === 0;
}

async function takeBack({ git, facts }: MakingDeps, { lane, commit, newBranch }: CreateData): Promise<void> {
  const { repository, path, branch } = lane;
  if (!existsSync(path) || isOurs(lane)) await clear(git, lane);
  const tip = branch === undefined ? undefined : await commitOf(git, repository, `refs/heads/${branch}`);
  if (newBranch && tip === commit) await git.write(repository, ["branch", "-D", "--", branch ?? ""]);
  facts.forget(repository, path);
}
