import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Git } from "../../lanes/git/git.ts";
import { copyIndex } from "../../lanes/git/snapshot.ts";
import { hooksIn } from "./hooks.ts";
import { anyCode, refusal } from "./refusal.ts";

export type CommitRequest = {
  tree: string;
  message: string;
  index: string;
  only?: readonly string[];
  what?: string;
};

const COMMIT_HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg"];

/**
 * Commits the changed and new files of a work tree, all or those that `only` selects, with the user's hooks and
 * signature. `index` is the path of a backup of the index. Returns the new commit, or `undefined` if nothing changed.
 * Restores the index when git refuses. `what` names the commit in errors.
 */
export async function commitAll(
  git: Git,
  { tree, message, index, only, what = "The commit in the lane" }: CommitRequest,
): Promise<string | undefined> {
  if (!(await isDirty(git, tree))) return undefined;
  const paths = only?.map((path) => `:(top,literal)${path}`) ?? [":/"];
  const own = await indexOf(git, tree);
  mkdirSync(dirname(index), { recursive: true, mode: 0o700 });
  if (existsSync(own)) copyIndex(own, index);
  await git.write(tree, ["add", "--all", "--", ...paths], { asUser: true });
  const compare = ["diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv", "--", ...paths];
  if ((await git.read(tree, compare, { answers: [1] })).code === 0) return undefined;
  const args = ["commit", "-m", message, ...(only ? ["--only", "--", ...paths] : [])];
  const answer = await git.change(tree, args, { answers: anyCode, env: { GIT_EDITOR: "true" } });
  if (answer.code === 0) return (await git.read(tree, ["rev-parse", "HEAD"])).out.trim();
  restoreIndex(own, index);
  throw refusal(what, answer, await hooksIn(git, tree, COMMIT_HOOKS));
}

/** Commits what is staged, with the user's hooks and signature. Returns `undefined` if nothing is staged. */
export async function commitIndex(
  git: Git,
  { tree, message, what }: Pick<CommitRequest, "tree" | "message"> & { what: string },
): Promise<string | undefined> {
  const compare = ["diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv"];
  if ((await git.read(tree, compare, { answers: [1] })).code === 0) return undefined;
  const answer = await git.change(tree, ["commit", "-m", message], { answers: anyCode, env: { GIT_EDITOR: "true" } });
  if (answer.code === 0) return (await git.read(tree, ["rev-parse", "HEAD"])).out.trim();
  throw refusal(what, answer, await hooksIn(git, tree, COMMIT_HOOKS));
}

/** Undoes such a commit: its content is uncommitted again, staged or not as before. */
export async function uncommit(
  git: Git,
  { tree, before, commit, index }: { tree: string; before: string; commit: string; index: string },
): Promise<void> {
  if ((await git.line(tree, ["rev-parse", "HEAD"])) !== commit) return;
  await git.write(tree, ["update-ref", "-m", "gantry: landing undone", "HEAD", before, commit]);
  restoreIndex(await indexOf(git, tree), index);
}

/** Whether any file is changed or new. */
export async function isDirty(git: Git, tree: string): Promise<boolean> {
  return (await git.read(tree, ["status", "--porcelain", "-z"])).out !== "";
}

async function indexOf(git: Git, tree: string): Promise<string> {
  return resolve(tree, (await git.read(tree, ["rev-parse", "--git-path", "index"])).out.trimEnd());
}

function restoreIndex(own: string, backup: string): void {
  if (!existsSync(backup)) return;
  const draft = `${own}.gantry`;
  copyIndex(backup, draft);
  renameSync(draft, own);
  rmSync(backup, { force: true });
}
