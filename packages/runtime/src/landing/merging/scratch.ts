import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Git } from "../../lanes/git/git.ts";
import { anyCode } from "./refusal.ts";

/**
 * A work tree for the time of one merge, beside everything that the user and the agents look at: their HEAD, index and
 * files stay as they are. What an earlier attempt left at the path is taken away first.
 */
export async function withScratch<Result>(
  git: Git,
  at: { repository: string; path: string; commit: string },
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const { repository, path, commit } = at;
  await dropScratch(git, repository, path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Large files need not be fetched for a tree that is gone in a moment.
  const env = { GIT_LFS_SKIP_SMUDGE: "1" };
  await git.write(repository, ["worktree", "add", "--detach", "--force", path, commit], { env });
  try {
    return await use(path);
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
