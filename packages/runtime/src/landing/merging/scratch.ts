import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Git } from "../../lanes/git/git.ts";
import { anyCode } from "./refusal.ts";

export type Scratch = {
  path: string;
  /** Settings that every git in it needs. */
  settings: readonly string[];
};

/** Nothing is written but what tells git how to merge. */
const BARE = ["core.sparseCheckout=true", "core.sparseCheckoutCone=false", "index.sparse=false"];
const BARE_PATTERNS = ".gitattributes\n";

/**
 * A work tree for the time of one merge, beside everything that the user and the agents look at: their HEAD, index and
 * files stay as they are. `files: false` leaves the files in the repository, which is all that git needs to merge; hooks
 * need more. What an earlier attempt left at the path is taken away first.
 */
export async function withScratch<Result>(
  git: Git,
  at: { repository: string; path: string; commit: string; files: boolean },
  use: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  const { repository, path, commit, files } = at;
  await dropScratch(git, repository, path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Large files need not be fetched for a tree that is gone in a moment.
  const env = { GIT_LFS_SKIP_SMUDGE: "1" };
  const how = files ? [] : ["--no-checkout"];
  await git.write(repository, ["worktree", "add", "--detach", "--force", ...how, path, commit], { env, asUser: true });
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

/** The settings go with each call: nothing is written into the user's configuration. */
async function fillIndex(git: Git, path: string): Promise<void> {
  const file = resolve(path, (await git.read(path, ["rev-parse", "--git-path", "info/sparse-checkout"])).out.trimEnd());
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, BARE_PATTERNS);
  await git.write(path, [...BARE.flatMap((setting) => ["-c", setting]), "read-tree", "-mu", "HEAD"], { asUser: true });
}
