import { existsSync, lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { GantryError } from "@gantry/protocol";
import type { Git } from "../../lanes/git/git.ts";
import { listWorktrees } from "../../lanes/git/worktrees.ts";
import { listFirst } from "./refusal.ts";

const IN_PROGRESS: Record<string, string> = {
  MERGE_HEAD: "a merge",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
};

/** The work tree in which a branch is checked out, if there is one. */
export async function treeOf(git: Git, repository: string, branch: string): Promise<string | undefined> {
  const trees = await listWorktrees(git, repository);
  return trees.find((tree) => tree.branch === branch && !tree.gone && !tree.bare)?.path;
}

/** Tracked files that differ from HEAD, staged or not. */
export async function changedFiles(git: Git, tree: string): Promise<string[]> {
  const { out } = await git.read(tree, ["status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames"]);
  return out
    .split("\0")
    .filter(Boolean)
    .map((line) => line.slice(3));
}

/** Like `changedFiles`, with untracked files. */
export async function allChanges(git: Git, path: string): Promise<string[]> {
  const { out } = await git.read(path, ["status", "--porcelain=v1", "-z", "--no-renames"]);
  return out
    .split("\0")
    .filter(Boolean)
    .map((line) => line.slice(3));
}

/** Throws `target_dirty` for a tree with changes, `conflict` for one with an unfinished git operation. */
export async function requireClean(git: Git, tree: string, what: string): Promise<void> {
  await requireNoOperation(git, tree, what);
  const files = await changedFiles(git, tree);
  if (files.length > 0) throw dirtyError("target_dirty", what, files);
}

/** Throws `conflict` during an unfinished merge, rebase or similar operation. */
export async function requireNoOperation(git: Git, tree: string, what: string): Promise<void> {
  const gitDir = resolve(tree, (await git.read(tree, ["rev-parse", "--git-dir"])).out.trimEnd());
  const found = Object.keys(IN_PROGRESS).find((name) => existsSync(join(gitDir, name)));
  if (!found) return;
  throw new GantryError("conflict", `${what} has ${IN_PROGRESS[found]} in progress (${tree}). Nothing was changed.`, {
    remedy: "Finish or abort it there, then try again.",
  });
}

export function dirtyError(
  code: "target_dirty" | "lane_dirty",
  what: string,
  files: readonly string[],
  remedy = "Commit or stash them, then try again.",
): GantryError {
  return new GantryError(code, `${what} has uncommitted changes: ${listFirst(files)}. Nothing was changed.`, {
    remedy,
    details: { files },
  });
}

/** Whether every changed file equals its version in one of the two commits. Then an interrupted move left them. */
export async function isHalfway(git: Git, tree: string, from: string, to: string): Promise<boolean> {
  const { out } = await git.read(tree, ["diff-tree", "-r", "-z", "--no-renames", from, to]);
  const parts = out.split("\0");
  const expected = new Map<string, string[]>();
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [, , before = "", after = ""] = (parts[i] ?? "").split(" ");
    expected.set(parts[i + 1] ?? "", [before, after]);
  }
  if ((await changedFiles(git, tree)).some((path) => !expected.has(path))) return false;
  for (const [path, hashes] of expected) if (!hashes.includes(await hashOf(git, tree, path))) return false;
  return true;
}

/** All zeroes for a missing file, as in git's output. */
async function hashOf(git: Git, tree: string, path: string): Promise<string> {
  const file = lstatSync(join(tree, path), { throwIfNoEntry: false });
  const hash = (
    await git.read(tree, ["hash-object", ...(file ? ["--", path] : ["--stdin"])], { input: "" })
  ).out.trim();
  return file ? hash : "0".repeat(hash.length);
}
