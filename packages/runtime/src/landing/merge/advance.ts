import { GantryError } from "@gantry/protocol";
import { commitOf } from "../../lanes/git/commits.ts";
import type { Git } from "../../lanes/git/git.ts";
import { anyCode, printedText } from "./refusal.ts";
import { changedFiles, isHalfway, requireClean, treeOf } from "./tree.ts";

export type Move = { repository: string; branch: string; from: string; to: string; why: string };

/** `moved`: the branch is no longer at `from`, so the prepared commit is stale. */
export type Advanced = "done" | "moved";

/**
 * Moves a branch forward, with the work tree in which it is checked out, which must be clean. Idempotent: after a crash
 * it completes the move. Throws `target_dirty` or `git_failed` with the branch unmoved.
 */
export async function advance(git: Git, move: Move): Promise<Advanced> {
  const { repository, branch, from, to } = move;
  const now = await tip(git, repository, branch);
  if (now === to) return "done";
  if (now !== from) return "moved";
  const tree = await treeOf(git, repository, branch);
  if (!tree) return moveRef(git, move);
  if ((await changedFiles(git, tree)).length > 0 && (await isHalfway(git, tree, from, to))) {
    // Every file of an interrupted move is in one of the two commits, so nothing is lost.
    await git.write(tree, ["reset", "--hard", to], { asUser: true });
    return "done";
  }
  await requireClean(git, tree, branch);
  const answer = await git.change(tree, ["merge", "--ff-only", "--no-autostash", to], { answers: anyCode });
  if ((await tip(git, repository, branch)) === to) return "done";
  if ((await tip(git, repository, branch)) !== from) return "moved";
  throw notMoved(branch, printedText(answer));
}

/** Moves a branch back. Throws `conflict` if it has moved since, `target_dirty` for a tree with changes. */
export async function moveBack(git: Git, { repository, branch, from, to, why }: Move): Promise<void> {
  const now = await tip(git, repository, branch);
  if (now === from) return;
  if (now !== to) {
    throw new GantryError(
      "conflict",
      `${branch} has moved since the landing: it is at ${now ? shortHash(now) : "no commit"}.`,
      {
        remedy: `Revert the landed commits instead: git revert --no-edit ${shortHash(from)}..${shortHash(to)}`,
      },
    );
  }
  const tree = await treeOf(git, repository, branch);
  if (!tree) {
    await moveRef(git, { repository, branch, from: to, to: from, why });
    return;
  }
  await requireClean(git, tree, branch);
  const answer = await git.change(tree, ["reset", "--keep", from], { answers: anyCode });
  if (answer.code !== 0) throw notMoved(branch, printedText(answer));
}

/** `undefined` for a branch that does not exist. */
export function tip(git: Git, repository: string, branch: string): Promise<string | undefined> {
  return commitOf(git, repository, `refs/heads/${branch}`);
}

export function shortHash(commit: string): string {
  return commit.slice(0, 8);
}

async function moveRef(git: Git, { repository, branch, from, to, why }: Move): Promise<Advanced> {
  const args = ["update-ref", "-m", why, `refs/heads/${branch}`, to, from];
  const answer = await git.change(repository, args, { answers: anyCode });
  if (answer.code === 0) return "done";
  if ((await tip(git, repository, branch)) !== from) return "moved";
  throw notMoved(branch, printedText(answer));
}

function notMoved(branch: string, output: string): GantryError {
  return new GantryError("git_failed", `${branch} could not be moved and is unchanged.\n${output}`, {
    remedy: "Resolve what git names, then try again.",
    details: { output },
  });
}
