import { existsSync, lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { GantryError } from "@gantry/protocol";
import type { Git } from "../../lanes/git/git.ts";
import { listWorktrees } from "../../lanes/git/worktrees.ts";
import { listed } from "./refusal.ts";

const UNDER_WAY: Record<string, string> = {
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

/** Tracked files that differ from the commit that is checked out, staged or not. */
export async function changedFiles(git: Git, tree: string): Promise<string[]> {
  const { out } = await git.read(tree, ["status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames"]);
  return out
    .split("\0")
    .filter(Boolean)
    .map((line) => line.slice(3));
}

/** The same with files that git does not know yet. */
export async function allChanges(git: Git, path: string): Promise<string[]> {
  const { out } = await git.read(path, ["status", "--porcelain=v1", "-z", "--no-renames"]);
  return out
    .split("\0")
    .filter(Boolean)
    .map((line) => line.slice(3));
}

/** Throws `target_dirty` for a tree with changes, `conflict` for one in which git has begun something. */
export async function requireQuiet(git: Git, tree: string, what: string): Promise<void> {
  await requireSettled(git, tree, what);
  const files = await changedFiles(git, tree);
  if (files.length > 0) throw dirtyError("target_dirty", what, files);
}

/** Throws `conflict` while a merge, a rebase or the like waits for a person. */
export async function requireSettled(git: Git, tree: string, what: string): Promise<void> {
  const gitDir = resolve(tree, (await git.read(tree, ["rev-parse", "--git-dir"])).out.trimEnd());
  const found = Object.keys(UNDER_WAY).find((name) => existsSync(join(gitDir, name)));
  if (!found) return;
  throw new GantryError("conflict", `${what} is in the middle of ${UNDER_WAY[found]} (${tree}). Nothing has changed.`, {
    remedy: "Finish or abort it there, then try again.",
  });
}

export function dirtyError(
  code: "target_dirty" | "lane_dirty",
  what: string,
  files: readonly string[],
  remedy = "Commit or stash them, then try again.",
): GantryError {
  return new GantryError(code, `${what} has changes that are not committed: ${listed(files)}. Nothing has changed.`, {
    remedy,
    details: { files },
  });
}

/** Is every changed file of the tree as one of the two commits has it? Then it was left by a move between them. */
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

/** Zeroes for what is not there, as git writes them. */
async function hashOf(git: Git, tree: string, path: string): Promise<string> {
  const file = lstatSync(join(tree, path), { throwIfNoEntry: false });
  const hash = (
    await git.read(tree, ["hash-object", ...(file ? ["--", path] : ["--stdin"])], { input: "" })
  ).out.trim();
  return file ? hash : "0".repeat(hash.length);
}
