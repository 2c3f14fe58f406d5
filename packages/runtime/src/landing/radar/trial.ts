import type { Git } from "../../lanes/git/git.ts";
import { anyCode } from "../merging/refusal.ts";

/** What a merge of two commits would give. `unknown` says why it could not be tried, such as unrelated histories. */
export type Trial =
  | { state: "clean"; tree: string; files: [] }
  | { state: "conflict"; tree: string; files: string[] }
  | { state: "unknown"; files: []; reason: string };

/**
 * Merges two commits in the object store alone: no index, no work tree and no ref is touched. Never throws for what the
 * commits hold.
 */
export async function tryMerge(git: Git, repository: string, ours: string, theirs: string): Promise<Trial> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs];
  const { code, out, err } = await git.read(repository, args, { answers: anyCode });
  const [tree = "", ...files] = out.split("\0").filter((part) => part !== "");
  if (code === 0) return { state: "clean", tree, files: [] };
  if (code === 1) return { state: "conflict", tree, files: [...new Set(files)].sort() };
  return { state: "unknown", files: [], reason: err.trim().split("\n")[0] || "git could not try it" };
}
