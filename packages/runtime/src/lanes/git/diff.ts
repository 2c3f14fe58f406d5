import type { FileChange } from "@gantry/protocol";
import type { Git, GitOptions } from "./git.ts";

export type TreeDiff = { files: FileChange[]; patch: string; left: string[] };

/**
 * The difference between two trees or commits. `files` is complete; `patch` has the patches of as many files as fit into
 * `most` bytes, in the order of `files`, and `left` names the others. `only` restricts both to a path.
 */
export async function treeDiff(
  git: Git,
  cwd: string,
  trees: { from: string; to: string; only?: string; most: number },
  options: GitOptions = {},
): Promise<TreeDiff> {
  const { from, to, only, most } = trees;
  const paths = only === undefined ? [] : [`:(top,literal)${only}`];
  const plain = ["--no-ext-diff", "--no-textconv", "--find-renames", "--no-color"];
  const args = (how: string[]) => ["diff-tree", "-r", ...plain, ...how, from, to, "--", ...paths];
  const [names, counts, patch] = await Promise.all([
    git.read(cwd, args(["--name-status", "-z"]), options),
    git.read(cwd, args(["--numstat", "-z"]), options),
    git.read(cwd, args(["--patch", "--full-index", "--src-prefix=a/", "--dst-prefix=b/"]), { ...options, most }),
  ]);
  const files = withCounts(parseNames(names.out), counts.out);
  const whole = patch.cut ? upToLastFile(patch.out) : patch.out;
  const shown = new Set([...whole.matchAll(INDEXES)].map(([, place]) => place));
  return {
    files,
    patch: whole,
    left: patch.cut ? files.slice(shown.size).map(({ path, to: moved }) => moved ?? path) : [],
  };
}

const KINDS: Record<string, FileChange["kind"]> = { A: "add", D: "delete", R: "move", C: "add" };

function parseNames(out: string): FileChange[] {
  const fields = out.split("\0");
  const files: FileChange[] = [];
  for (let i = 0; i + 1 < fields.length; ) {
    const letter = fields[i]?.[0] ?? "";
    const kind = KINDS[letter] ?? "update";
    const path = fields[i + 1] ?? "";
    if (letter === "R") files.push({ path, kind, to: fields[i + 2] ?? "" });
    else files.push({ path: letter === "C" ? (fields[i + 2] ?? "") : path, kind });
    i += letter === "R" || letter === "C" ? 3 : 2;
  }
  return files;
}

/** Lines of `numstat` have the same order; a binary file has no counts. */
function withCounts(files: FileChange[], out: string): FileChange[] {
  const fields = out.split("\0");
  let at = 0;
  return files.map((file) => {
    const [additions = "-", deletions = "-", path] = (fields[at] ?? "").split("\t");
    // A renamed file has an empty path and both paths in the next two fields.
    at += path === "" ? 3 : 1;
    return additions === "-" ? file : { ...file, additions: Number(additions), deletions: Number(deletions) };
  });
}

/** Lines inside a patch start with another character. A file that became a link has two headers with the same text. */
const INDEXES = /^diff --git (.*)$/gm;

/** The last file of a truncated patch may be incomplete. */
function upToLastFile(patch: string): string {
  const last = patch.lastIndexOf("\ndiff --git ");
  return last < 0 ? "" : patch.slice(0, last + 1);
}
