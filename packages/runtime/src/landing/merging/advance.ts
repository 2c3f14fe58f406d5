import { GantryError } from "@gantry/protocol";
import { commitOf } from "../../lanes/git/commits.ts";
import type { Git } from "../../lanes/git/git.ts";
import { anyCode, printed } from "./refusal.ts";
import { changedFiles, isHalfway, requireQuiet, treeOf } from "./tree.ts";

export type Move = { repository: string; branch: string; from: string; to: string; why: string };

/** `moved`: the branch is elsewhere than it was, so what was made no longer fits. */
export type Advanced = "done" | "moved";

/**
 * Moves a branch forward, and with it the work tree in which it is checked out, which must be clean. Done again after a
 * crash it finishes what was begun. Throws `target_dirty` or `git_failed` with the branch where it was.
 */
export async function advance(git: Git, move: Move): Promise<Advanced> {
  const { repository, branch, from, to } = move;
  const now = await tip(git, repository, branch);
  if (now === to) return "done";
  if (now !== from) return "moved";
  const tree = await treeOf(git, repository, branch);
  if (!tree) return moveRef(git, move);
  if ((await changedFiles(git, tree)).length > 0 && (await isHalfway(git, tree, from, to))) {
    // All that an interrupted move wrote is in one commit or the other, so nothing is lost.
    await git.write(tree, ["reset", "--hard", to], { asUser: true });
    return "done";
  }
  await requireQuiet(git, tree, branch);
  const answer = await git.change(tree, ["merge", "--ff-only", "--no-autostash", to], { answers: anyCode });
  if ((await tip(git, repository, branch)) === to) return "done";
  if ((await tip(git, repository, branch)) !== from) return "moved";
  throw inTheWay(branch, printed(answer));
}

/** Moves a branch back to where it was. Throws `conflict` when it has gone on since, `target_dirty` for a tree with changes. */
export async function goBack(git: Git, { repository, branch, from, to, why }: Move): Promise<void> {
  const now = await tip(git, repository, branch);
  if (now === from) return;
  if (now !== to) {
    throw new GantryError("conflict", `${branch} has gone on since: it is at ${now ? short(now) : "nothing"}.`, {
      remedy: `Take back what was landed with commits of its own: git revert --no-edit ${short(from)}..${short(to)}`,
    });
  }
  const tree = await treeOf(git, repository, branch);
  if (!tree) {
    await moveRef(git, { repository, branch, from: to, to: from, why });
    return;
  }
  await requireQuiet(git, tree, branch);
  const answer = await git.change(tree, ["reset", "--keep", from], { answers: anyCode });
  if (answer.code !== 0) throw inTheWay(branch, printed(answer));
}

/** `undefined` for a branch that does not exist. */
export function tip(git: Git, repository: string, branch: string): Promise<string | undefined> {
  return commitOf(git, repository, `refs/heads/${branch}`);
}

export function short(commit: string): string {
  return commit.slice(0, 8);
}

async function moveRef(git: Git, { repository, branch, from, to, why }: Move): Promise<Advanced> {
  const args = ["update-ref", "-m", why, `refs/heads/${branch}`, to, from];
  const answer = await git.change(repository, args, { answers: anyCode });
  if (answer.code === 0) return "done";
  if ((await tip(git, repository, branch)) !== from) return "moved";
  throw inTheWay(branch, printed(answer));
}

function inTheWay(branch: string, output: string): GantryError {
  return new GantryError("git_failed", `${branch} could not be moved. It is where it was.\n${output}`, {
    remedy: "Clear away what git names, and try again.",
    details: { output },
  });
}
