import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ErrorCode, GantryError } from "@gantry/protocol";
import { commitOf, headOf } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { isLinkedTo } from "../git/worktrees.ts";
import { gitlinks } from "../making/submodules.ts";
import type { LaneRecord } from "../port.ts";
import type { Facts } from "../seeing/facts.ts";
import type { SessionPlace } from "../seeing/places.ts";
import { tipOf } from "../seeing/present.ts";
import { processesInside } from "./inside.ts";

/** Why a lane is not to be removed. `final`: also with force, for it could not be had back. */
export type Hindrance = { code: ErrorCode; text: string; details?: unknown; final?: boolean };

const SHOWN = 20;

/** What in a lane's files and commits would be lost. Throws what git says. */
export async function workAtRisk(git: Git, facts: Facts, lane: LaneRecord): Promise<Hindrance[]> {
  if (!existsSync(lane.path)) return [];
  if (!isLinkedTo(lane.path, lane.commonDir)) {
    const text = `${lane.path} is no longer a worktree of ${lane.repository}, so it is left as it is.`;
    return [{ code: "conflict", text, final: true }];
  }
  const found = [
    await lockOf(facts, lane),
    await innerWork(git, lane),
    await uncommitted(git, facts, lane),
    await commits(git, facts, lane),
  ];
  return found.filter((one) => one !== undefined);
}

/** Who is at work in it: processes, sessions with a turn, its own set-up. */
export async function peopleAtWork(lane: LaneRecord, sessions: readonly SessionPlace[]): Promise<Hindrance[]> {
  const found: Hindrance[] = [];
  const busy = sessions.filter(({ busy: turn }) => turn).map(({ id }) => id);
  if (lane.setup.state === "running") found.push({ code: "lane_in_use", text: "Its set-up is still running." });
  if (busy.length > 0) {
    found.push({ code: "lane_in_use", text: `A turn runs in it: ${busy.join(", ")}.`, details: { sessions: busy } });
  }
  const inside = existsSync(lane.path) ? await processesInside(lane.path) : [];
  if (inside.length > 0) {
    const named = inside.slice(0, 5).map(({ pid, command }) => `${command || "?"} (${pid})`);
    const text = `${inside.length === 1 ? "A process works" : `${inside.length} processes work`} in it: ${named.join(", ")}.`;
    found.push({ code: "lane_in_use", text, details: { processes: inside.slice(0, SHOWN) } });
  }
  return found;
}

/** All reasons as one error, named after the first. */
export function refusal(lane: LaneRecord, hindrances: readonly Hindrance[]): GantryError {
  const [first] = hindrances;
  const final = hindrances.filter((one) => one.final);
  const remedy =
    final.length > 0
      ? "Bring that into safety first; force does not remove it either."
      : "With force it is removed all the same, and kept under an undo ref: gantry lanes rm --force.";
  const message = `The lane ${lane.name} was not removed. ${hindrances.map(({ text }) => text).join(" ")}`;
  const reasons = hindrances.map(({ code, text, details }) => ({ code, text, ...(details ? { details } : {}) }));
  return new GantryError(first?.code ?? "conflict", message, { remedy, details: { lane: lane.id, reasons } });
}

async function lockOf(facts: Facts, { repository, path }: LaneRecord): Promise<Hindrance | undefined> {
  const tree = (await facts.worktrees(repository, true)).find((one) => one.path === path);
  if (tree?.locked === undefined) return undefined;
  return { code: "lane_locked", text: `It is locked${tree.locked ? `: ${tree.locked}` : ""} (git worktree unlock).` };
}

async function uncommitted(git: Git, facts: Facts, { path }: LaneRecord): Promise<Hindrance | undefined> {
  const { changed, untracked } = await facts.status(path, true);
  if (changed + untracked === 0) return undefined;
  const { out } = await git.read(path, ["status", "--porcelain", "-z", "--no-renames"]);
  const files = out
    .split("\0")
    .filter(Boolean)
    .map((entry) => entry.slice(3));
  const words = [changed && `${changed} changed`, untracked && `${untracked} untracked`].filter(Boolean).join(" and ");
  const text = `It has ${words} ${changed + untracked === 1 ? "file" : "files"}.`;
  return { code: "lane_dirty", text, details: { changed, untracked, files: files.slice(0, SHOWN) } };
}

/** Commits that would be on no branch afterwards: those of a bare HEAD, and of the branch that goes with the lane. */
async function commits(git: Git, facts: Facts, lane: LaneRecord): Promise<Hindrance | undefined> {
  const { repository, path, branch, ownBranch, base } = lane;
  const head = await headOf(git, path);
  const own = branch !== undefined && ownBranch ? await commitOf(git, repository, `refs/heads/${branch}`) : undefined;
  const risked = [head.branch === undefined ? head.commit : undefined, own].filter((one) => one !== undefined);
  const tips = await facts.tips(repository, true);
  const elsewhere = [...new Set([tipOf(base, tips), base.commit])];
  const counts = await Promise.all([...new Set(risked)].map((one) => facts.unpushed(repository, one, elsewhere, tips)));
  const count = Math.max(0, ...counts);
  if (count === 0) return undefined;
  const text = `It has ${count} ${count === 1 ? "commit that is" : "commits that are"} on no remote and not in ${base.ref ?? "its base"}.`;
  return { code: "lane_unpushed", text, details: { commits: count } };
}

/** Repositories inside of the lane, submodules among them, go with its folder; no ref of ours could hold their work. */
async function innerWork(git: Git, { path }: LaneRecord): Promise<Hindrance | undefined> {
  const inner = [...(await gitlinks(git, path)), ...(await nestedRepositories(git, path))];
  const risked: string[] = [];
  for (const one of inner) {
    const folder = join(path, one);
    if (existsSync(join(folder, ".git")) && (await hasOwnWork(git, folder))) risked.push(one);
  }
  if (risked.length === 0) return undefined;
  const text = `There is work of its own in ${risked.slice(0, 5).join(", ")}, which ${risked.length === 1 ? "is a repository" : "are repositories"} inside of it.`;
  return { code: "lane_dirty", final: true, text, details: { repositories: risked.slice(0, SHOWN) } };
}

/** Untracked folders with a `.git` of their own: git names them with a slash and does not look into them. */
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
