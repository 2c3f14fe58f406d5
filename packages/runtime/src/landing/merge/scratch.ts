import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Git } from "../../lanes/git/git.ts";
import { oneWorktreeAtATime } from "../../lanes/git/worktrees.ts";
import { anyCode } from "./refusal.ts";

export type Scratch = {
  path: string;
  /** Settings for every git call in it. */
  settings: readonly string[];
};

/** Checks out only the attributes, which git needs to merge. */
const BARE = ["core.sparseCheckout=true", "core.sparseCheckoutCone=false", "index.sparse=false"];
const BARE_PATTERNS = ".gitattributes\n";

/**
 * Runs `use` with a work tree that exists for one merge. HEAD, index and files of the user and the agents do not change.
 * `files: false` checks out no files, which is enough for a merge; hooks need them. Removes the remains of an earlier
 * attempt first, and the tree afterwards.
 */
export async function withScratch<Result>(
  git: Git,
  at: { repository: string; path: string; commit: string; files: boolean },
  use: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  const { repository, path, commit, files } = at;
  await dropScratch(git, repository, path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // The tree is temporary, so large files are not fetched.
  const env = { GIT_LFS_SKIP_SMUDGE: "1" };
  const how = files ? [] : ["--no-checkout"];
  const args = ["worktree", "add", "--detach", "--force", ...how, path, commit];
  await oneWorktreeAtATime(repository, () => git.write(repository, args, { env, asUser: true }));
  try {
    if (!files) await fillIndex(git, path);
    return await use({ path, settings: files ? [] : BARE });
  } finally {
    await dropScratch(git, repository, path);
  }
}

export async function dropScratch(git: Git, repository: string, path: string): Promise<void> {
  if (!existsSync(path)) return;
  await git.write(repository, ["worktree", "remove", "--force", "--force", path], { answers: anyCode });
  if (!existsSync(path)) return;
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  await git.write(repository, ["worktree", "prune"], { answers: anyCode });
}

/** Passes the settings with each call, so that the user's configuration does not change. */
async function fillIndex(git: Git, path: string): Promise<void> {
  const file = resolve(path, (await git.read(path, ["rev-parse", "--git-path", "info/sparse-checkout"])).out.trimEnd());
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, BARE_PATTERNS);
  await git.write(path, [...BARE.flatMap((setting) => ["-c", setting]), "read-tree", "-mu", "HEAD"], { asUser: true });
}
