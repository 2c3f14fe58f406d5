import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { copyIndex } from "../../lanes/git/copy-index.ts";
import type { Git } from "../../lanes/git/git.ts";
import { hooksIn } from "./hooks.ts";
import { anyCode, refusal } from "./refusal.ts";

const COMMIT_HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg"];

/**
 * Commits everything that is changed or new in a lane, with the user's own hooks and signature. `index` is where a copy
 * of the lane's index is kept meanwhile. Returns the new commit, or `undefined` where there was nothing. On a refusal the
 * index is put back as it was.
 */
export async function commitAll(
  git: Git,
  { tree, message, index }: { tree: string; message: string; index: string },
): Promise<string | undefined> {
  if (!(await isDirty(git, tree))) return undefined;
  const own = await indexOf(git, tree);
  mkdirSync(dirname(index), { recursive: true, mode: 0o700 });
  if (existsSync(own)) copyIndex(own, index);
  await git.write(tree, ["add", "--all", "--", ":/"], { asUser: true });
  if (
    (await git.read(tree, ["diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv"], { answers: [1] })).code ===
    0
  )
    return undefined;
  const answer = await git.change(tree, ["commit", "-m", message], { answers: anyCode, env: { GIT_EDITOR: "true" } });
  if (answer.code === 0) return (await git.read(tree, ["rev-parse", "HEAD"])).out.trim();
  restoreIndex(own, index);
  throw refusal("The commit in the lane", answer, await hooksIn(git, tree, COMMIT_HOOKS));
}

/** Takes such a commit back: what it held is uncommitted again, staged or not as it was before. */
export async function uncommit(
  git: Git,
  { tree, before, commit, index }: { tree: string; before: string; commit: string; index: string },
): Promise<void> {
  if ((await git.line(tree, ["rev-parse", "HEAD"])) !== commit) return;
  await git.write(tree, ["update-ref", "-m", "gantry: landing taken back", "HEAD", before, commit]);
  restoreIndex(await indexOf(git, tree), index);
}

/** Is anything changed or new? */
export async function isDirty(git: Git, tree: string): Promise<boolean> {
  return (await git.read(tree, ["status", "--porcelain", "-z"])).out !== "";
}

async function indexOf(git: Git, tree: string): Promise<string> {
  return resolve(tree, (await git.read(tree, ["rev-parse", "--git-path", "index"])).out.trimEnd());
}

function restoreIndex(own: string, kept: string): void {
  if (!existsSync(kept)) return;
  const beside = `${own}.gantry`;
  copyIndex(kept, beside);
  renameSync(beside, own);
  rmSync(kept, { force: true });
}
