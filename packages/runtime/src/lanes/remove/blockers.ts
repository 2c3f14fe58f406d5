import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ErrorCode, GantryError } from "@gantry/protocol";
import { gitlinks } from "../create/submodules.ts";
import { commitOf, headOf } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { isLinkedTo } from "../git/worktrees.ts";
import type { GitFacts } from "../inspect/git-facts.ts";
import { tipOf } from "../inspect/present-lane.ts";
import type { SessionPlace } from "../inspect/session-places.ts";
import type { LaneRecord } from "../port.ts";
import { processesInside } from "./processes-inside.ts";

/** A reason not to remove a lane. `final`: also with force, because Gantry could not restore it. */
export type Blocker = { code: ErrorCode; text: string; details?: unknown; final?: boolean };

const SHOWN = 20;

/** Work in the lane's files and commits that removal would lose. Throws git's errors. */
export async function workAtRisk(git: Git, facts: GitFacts, lane: LaneRecord): Promise<Blocker[]> {
  if (!existsSync(lane.path)) return [];
  if (!isLinkedTo(lane.path, lane.commonDir)) {
    const text = `${lane.path} is no longer a worktree of ${lane.repository}. It was left unchanged.`;
    return [{ code: "conflict", text, final: true }];
  }
  const found = [
    await lockOf(facts, lane),
    await innerWork(git, lane),
    await findUncommitted(git, facts, lane),
    await commits(git, facts, lane),
  ];
  return found.filter((one) => one !== undefined);
}

/** Activity in the lane: processes, sessions with a turn, its set-up. */
export async function findActivity(lane: LaneRecord, sessions: readonly SessionPlace[]): Promise<Blocker[]> {
  const found: Blocker[] = [];
  const busy = sessions.filter(({ busy: turn }) => turn).map(({ id }) => id);
  if (lane.setup.state === "running") found.push({ code: "lane_in_use", text: "Its set-up is still running." });
  if (busy.length > 0) {
    found.push({
      code: "lane_in_use",
      text: `A turn is running in it: ${busy.join(", ")}.`,
      details: { sessions: busy },
    });
  }
  const inside = existsSync(lane.path) ? await processesInside(lane.path) : [];
  if (inside.length > 0) {
    const named = inside.slice(0, 5).map(({ pid, command }) => `${command || "?"} (${pid})`);
    const text = `${inside.length === 1 ? "A process works" : `${inside.length} processes work`} in it: ${named.join(", ")}.`;
    found.push({ code: "lane_in_use", text, details: { processes: inside.slice(0, SHOWN) } });
  }
  return found;
}

/** All reasons as one error with the code of the first. */
export function refusal(lane: LaneRecord, blockers: readonly Blocker[]): GantryError {
  const [first] = blockers;
  const final = blockers.filter((one) => one.final);
  const remedy =
    final.length > 0
      ? "Save that work elsewhere first. Force does not remove it."
      : "To remove it anyway, use force. Its content is saved under an undo ref: gantry lanes rm --force.";
  const message = `The lane ${lane.name} was not removed. ${blockers.map(({ text }) => text).join(" ")}`;
  const reasons = blockers.map(({ code, text, details }) => ({ code, text, ...(details ? { details } : {}) }));
  return new GantryError(first?.code ?? "conflict", message, { remedy, details: { lane: lane.id, reasons } });
}

async function lockOf(facts: GitFacts, { repository, path }: LaneRecord): Promise<Blocker | undefined> {
  const tree = (await facts.worktrees(repository, true)).find((one) => one.path === path);
  if (tree?.locked === undefined) return undefined;
  return { code: "lane_locked", text: `It is locked${tree.locked ? `: ${tree.locked}` : ""} (git worktree unlock).` };
}

async function findUncommitted(git: Git, facts: GitFacts, { path }: LaneRecord): Promise<Blocker | undefined> {
  const { changed, untracked } = await facts.status(path, true);
  if (changed + untracked === 0) return undefined;
  const { out } = await git.read(path, ["status", "--porcelain", "-z", "--no-renames"]);
  const files = out
    .split("\0")
    .filter(Boolean)
    .map((entry) => entry.slice(3));
  const counts = [changed && `${changed} changed`, untracked && `${untracked} untracked`].filter(Boolean).join(" and ");
  const text = `It has ${counts} ${changed + untracked === 1 ? "file" : "files"}.`;
  return { code: "lane_dirty", text, details: { changed, untracked, files: files.slice(0, SHOWN) } };
}

/** Commits that would be on no branch afterwards: those of a detached HEAD and of a branch that Gantry created. */
async function commits(git: Git, facts: GitFacts, lane: LaneRecord): Promise<Blocker | undefined> {
  const { repository, path, branch, ownBranch, base } = lane;
  const head = await headOf(git, path);
  const own = branch !== undefined && ownBranch ? await commitOf(git, repository, `refs/heads/${branch}`) : undefined;
  const risked = [head.branch === undefined ? head.commit : undefined, own].filter((one) => one !== undefined);
  const tips = await facts.tips(repository, true);
  const elsewhere = [...new Set([tipOf(base, tips), base.commit])];
  const counts = await Promise.all(
    [...new Set(risked)].map((one) => facts.countUnpushed(repository, one, elsewhere, tips)),
  );
  const count = Math.max(0, ...counts);
  if (count === 0) return undefined;
  const text = `It has ${count} ${count === 1 ? "commit that is" : "commits that are"} on no remote and not in ${base.ref ?? "its base"}.`;
  return { code: "lane_unpushed", text, details: { commits: count } };
}

/** Work in repositories inside the lane, including submodules. They go with the folder, and no undo ref can hold them. */
async function innerWork(git: Git, { path }: LaneRecord): Promise<Blocker | undefined> {
  const inner = [...(await gitlinks(git, path)), ...(await nestedRepositories(git, path))];
  const risked: string[] = [];
  for (const one of inner) {
    const folder = join(path, one);
    if (existsSync(join(folder, ".git")) && (await hasOwnWork(git, folder))) risked.push(one);
  }
  if (risked.length === 0) return undefined;
  const text = `It contains uncommitted or unpushed work in ${risked.slice(0, 5).join(", ")}, ${risked.length === 1 ? "a separate repository" : "separate repositories"} inside it.`;
  return { code: "lane_dirty", final: true, text, details: { repositories: risked.slice(0, SHOWN) } };
}

/** Untracked folders that are repositories: git lists them with a trailing slash and does not enter them. */
async function nestedRepositories(git: Git, path: string): Promise<string[]> {
  const { out } = await git.read(path, ["ls-files", "-z", "--others", "--exclude-standard"]);
  return out.split("\0").filter((entry) => entry.endsWith("/"));
}

async function hasOwnWork(git: Git, folder: string): Promise<boolean> {
  const { out } = await git.read(folder, ["status", "--porcelain", "-z"]);
  if (out !== "") return true;
  const { commit } = await headOf(git, folder);
  if (!commit) return false;
  const { out: count } = await git.read(folder, ["rev-list", "--count", "HEAD", "--branches", "--not", "--remotes"]);
  return Number(count.trim()) > 0;
}
