import type { Git } from "../../lanes/git/git.ts";
import { anyCode } from "../merge/refusal.ts";

/** The result of a trial merge. `unknown` has the reason, such as unrelated histories. */
export type Trial =
  | { state: "clean"; tree: string; files: [] }
  | { state: "conflict"; tree: string; files: string[] }
  | { state: "unknown"; files: []; reason: string };

/**
 * Merges two commits in the object store alone, without touching index, work tree or refs. Never throws for the content
 * of the commits.
 */
export async function tryMerge(git: Git, repository: string, ours: string, theirs: string): Promise<Trial> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs];
  const { code, out, err } = await git.read(repository, args, { answers: anyCode });
  const [tree = "", ...files] = out.split("\0").filter((part) => part !== "");
  if (code === 0) return { state: "clean", tree, files: [] };
  if (code === 1) return { state: "conflict", tree, files: [...new Set(files)].sort() };
  return { state: "unknown", files: [], reason: err.trim().split("\n")[0] || "git could not merge them" };
}
