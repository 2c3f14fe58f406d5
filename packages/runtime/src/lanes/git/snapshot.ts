import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { commitOf } from "./commits.ts";
import { copyIndex } from "./copy-index.ts";
import type { Git } from "./git.ts";

/** Who Gantry's own commits are by; they are in hidden refs and never on a branch. */
const AUTHOR = {
  GIT_AUTHOR_NAME: "Gantry",
  GIT_AUTHOR_EMAIL: "gantry@localhost",
  GIT_COMMITTER_NAME: "Gantry",
  GIT_COMMITTER_EMAIL: "gantry@localhost",
};

/**
 * The files of a work tree as they lie there, ignored ones left out, as a tree; the user's index is not touched. What is
 * written goes to `objects` where that is given, so that a look leaves nothing in the repository.
 */
export async function worktreeTree(git: Git, cwd: string, objects?: string): Promise<string> {
  return withIndexCopy(git, cwd, async (index) => {
    const env = { GIT_INDEX_FILE: index, ...(objects ? await scratchObjects(git, cwd, objects) : {}) };
    await git.write(cwd, ["-c", "core.safecrlf=false", "add", "--all", "--sparse", "--", ":/"], { env });
    return (await git.write(cwd, ["write-tree"], { env })).out.trim();
  });
}

/** What lets git write objects elsewhere and still find those of the repository. */
export async function scratchObjects(git: Git, cwd: string, objects: string): Promise<Record<string, string>> {
  const path = (await git.read(cwd, ["rev-parse", "--git-path", "objects"])).out.replace(/\n$/, "");
  // git takes a list of paths, in which a quoted one may hold the character that parts them.
  const quoted = `"${resolve(cwd, path).replace(/[\\"]/g, (mark) => `\\${mark}`)}"`;
  return { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted };
}

export type Snapshot = { commit: string; head?: string; index?: string };

/**
 * A commit of everything that is in a work tree and not committed, in the shape of a stash: its tree is the work tree with
 * untracked files, its parents are HEAD, the index where it differs, and `more`. No ref points at it yet.
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

/** A commit that no branch has. */
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

/** The index as a tree; `undefined` in the middle of a merge, where it is none. */
async function indexTree(git: Git, cwd: string): Promise<string | undefined> {
  return withIndexCopy(git, cwd, async (index) => {
    const { code, out } = await git.write(cwd, ["write-tree"], { env: { GIT_INDEX_FILE: index }, answers: [128] });
    return code === 0 ? out.trim() : undefined;
  });
}

/** A copy keeps what the index knows of unchanged files, so that they are not read again. */
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
