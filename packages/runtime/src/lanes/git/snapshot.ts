import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { commitOf } from "./commits.ts";
import type { Git } from "./git.ts";

/** The author of Gantry's commits. They are in hidden refs and never on a branch. */
const AUTHOR = {
  GIT_AUTHOR_NAME: "Gantry",
  GIT_AUTHOR_EMAIL: "gantry@localhost",
  GIT_COMMITTER_NAME: "Gantry",
  GIT_COMMITTER_EMAIL: "gantry@localhost",
};

/**
 * The files of a work tree, without ignored ones, as a git tree. Does not touch the user's index. Objects are written to
 * `objects` if given, so that a read leaves nothing in the repository.
 */
export async function worktreeTree(git: Git, cwd: string, objects?: string): Promise<string> {
  return withIndexCopy(git, cwd, async (index) => {
    const env = { GIT_INDEX_FILE: index, ...(objects ? await scratchObjects(git, cwd, objects) : {}) };
    await git.write(cwd, ["-c", "core.safecrlf=false", "add", "--all", "--sparse", "--", ":/"], { env });
    return (await git.write(cwd, ["write-tree"], { env })).out.trim();
  });
}

/** Environment that makes git write objects elsewhere and still read those of the repository. */
export async function scratchObjects(git: Git, cwd: string, objects: string): Promise<Record<string, string>> {
  const path = (await git.read(cwd, ["rev-parse", "--git-path", "objects"])).out.replace(/\n$/, "");
  // The value is a list of paths. Quoting allows the separator inside a path.
  const quoted = `"${resolve(cwd, path).replace(/[\\"]/g, (mark) => `\\${mark}`)}"`;
  return { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted };
}

export type Snapshot = { commit: string; head?: string; index?: string };

/**
 * A commit of all uncommitted content of a work tree, in the shape of a stash: its tree is the work tree with untracked
 * files, its parents are HEAD, the index if it differs, and `more`. No ref points at it yet.
 */
export async function snapshot(
  git: Git,
  cwd: string,
  message: string,
  more: readonly string[] = [],
): Promise<Snapshot> {
  const head = await commitOf(git, cwd, "HEAD");
  const tree = await worktreeTree(git, cwd);
  const staged = await indexTree(git, cwd);
  const index = staged && staged !== tree ? await commitTree(git, cwd, staged, head ? [head] : [], "index") : undefined;
  const parents = [head, index, ...more].filter((parent) => parent !== undefined);
  const commit = await commitTree(git, cwd, tree, [...new Set(parents)], message);
  return { commit, ...(head ? { head } : {}), ...(index ? { index } : {}) };
}

/** Creates a commit that is on no branch. */
export async function commitTree(
  git: Git,
  cwd: string,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const args = ["commit-tree", "--no-gpg-sign", tree, ...parents.flatMap((parent) => ["-p", parent])];
  return (await git.write(cwd, args, { input: message, env: AUTHOR })).out.trim();
}

/** The index as a tree; `undefined` during a merge, when it cannot be written as one. */
async function indexTree(git: Git, cwd: string): Promise<string | undefined> {
  return withIndexCopy(git, cwd, async (index) => {
    const { code, out } = await git.write(cwd, ["write-tree"], { env: { GIT_INDEX_FILE: index }, answers: [128] });
    return code === 0 ? out.trim() : undefined;
  });
}

/** The copy keeps the index's stat cache, so that git does not read unchanged files again. */
async function withIndexCopy<Result>(git: Git, cwd: string, work: (index: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "gantry-index-"));
  try {
    const real = resolve(cwd, (await git.read(cwd, ["rev-parse", "--git-path", "index"])).out.replace(/\n$/, ""));
    const copy = join(folder, "index");
    if (existsSync(real)) copyIndex(real, copy);
    return await work(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Copies an index and its timestamp. Git treats a file as unchanged if its size and time match the index, unless the file
 * is as new as the index itself. A newer copy would hide changes of the same moment; a slightly older one only makes git
 * read more files.
 */
export function copyIndex(from: string, to: string): void {
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, seconds, seconds);
}
