import { join } from "node:path";
import type { Git } from "../../lanes/git/git.ts";
import type { GitAnswer } from "../../lanes/git/run-git.ts";
import { gatesFor } from "./hooks.ts";
import { anyCode, conflictError, listUnmerged, refusal } from "./refusal.ts";
import { withScratch } from "./scratch.ts";

export type MergeRequest = {
  how: "merge" | "squash" | "rebase";
  repository: string;
  /** Holds the scratch tree and its hooks; used by this merge only. */
  folder: string;
  /** For error messages. */
  names: { source: string; target: string };
  target: string;
  source: string;
  message: string;
};

/** Settings of the user that would reach outside the scratch tree. */
const CALM = ["rebase.autoStash=false", "rebase.updateRefs=false", "rebase.autoSquash=false", "merge.autoStash=false"];

/**
 * Creates the new tip of the target with git itself in a scratch tree, with the user's gate hooks, identity and
 * signature. Moves no ref. Returns the target if it already contains everything. Throws `merge_conflict`,
 * `hook_failed` or `git_failed`.
 */
export async function prepare(git: Git, mergeRequest: MergeRequest): Promise<string> {
  const { how, repository, folder, target, source } = mergeRequest;
  const hooks = join(folder, "hooks");
  const gates = await gatesFor(git, repository, hooks);
  const start = how === "rebase" ? source : target;
  const at = { repository, path: join(folder, "tree"), commit: start, files: gates.length > 0 };
  return withScratch(git, at, async ({ path: tree, settings }) => {
    const all = [...CALM, ...settings, `core.hooksPath=${hooks}`].flatMap((setting) => ["-c", setting]);
    const run = (...args: string[]) => git.change(tree, [...all, ...args], { answers: anyCode });
    const work = { git, tree, gates, mergeRequest, run };
    if (how === "rebase") await rebase(work);
    else if (how === "squash") await squash(work);
    else await merge(work);
    return (await git.read(tree, ["rev-parse", "HEAD"])).out.trim();
  });
}

type Work = {
  git: Git;
  tree: string;
  gates: string[];
  mergeRequest: MergeRequest;
  run: (...args: string[]) => Promise<GitAnswer>;
};

async function merge({ git, tree, gates, mergeRequest, run }: Work): Promise<void> {
  const { source, message, names } = mergeRequest;
  const answer = await run("merge", "--no-ff", "--no-edit", "-m", message, source);
  if (answer.code === 0) return;
  const files = await listUnmerged(git, tree);
  if (files.length > 0) throw conflictError(names.source, names.target, files);
  throw refusal("The merge", answer, removeGates(gates, "pre-rebase", "pre-commit"));
}

async function squash({ git, tree, gates, mergeRequest, run }: Work): Promise<void> {
  const { source, message, names } = mergeRequest;
  const joined = await run("merge", "--squash", source);
  const files = joined.code === 0 ? [] : await listUnmerged(git, tree);
  if (files.length > 0) throw conflictError(names.source, names.target, files);
  if (joined.code !== 0) throw refusal("The merge", joined, []);
  if ((await run("diff", "--cached", "--quiet")).code === 0) return;
  const answer = await run("commit", "-m", message);
  if (answer.code !== 0) throw refusal("The commit", answer, removeGates(gates, "pre-rebase", "pre-merge-commit"));
}

async function rebase({ git, tree, gates, mergeRequest, run }: Work): Promise<void> {
  const { target, names } = mergeRequest;
  const answer = await run("rebase", target);
  if (answer.code === 0) return;
  const files = await listUnmerged(git, tree);
  await run("rebase", "--abort");
  if (files.length > 0) throw conflictError(names.source, names.target, files);
  throw refusal("The rebase", answer, removeGates(gates, "pre-commit", "pre-merge-commit"));
}

function removeGates(gates: readonly string[], ...others: string[]): string[] {
  return gates.filter((gate) => !others.includes(gate));
}
