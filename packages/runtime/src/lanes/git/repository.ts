import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { GantryError } from "@gantry/protocol";
import type { Git } from "./git.ts";

/** A repository as seen from one of its folders. All paths are absolute and real. */
export type Repository = {
  /** The work tree of the folder; the repository itself where it is bare. */
  root: string;
  /** The primary work tree, which owns the repository; the repository itself where it is bare. */
  primary: string;
  /** Holds this work tree's HEAD and index. */
  gitDir: string;
  /** Holds what all work trees share: objects, branches, configuration. */
  commonDir: string;
  bare: boolean;
};

/** The repository that contains a folder, or `undefined`. Throws `unavailable`. */
export async function findRepository(git: Git, cwd: string): Promise<Repository | undefined> {
  const flags = ["--is-bare-repository", "--is-inside-work-tree", "--git-dir", "--git-common-dir"];
  const { code, out, err } = await git.read(cwd, ["rev-parse", ...flags], { answers: [128] });
  if (code !== 0) {
    if (/dubious ownership/.test(err)) throw foreignOwner(cwd, err);
    return undefined;
  }
  const [bareFlag, insideFlag, ...paths] = out.split("\n");
  const [gitDir, commonDir] = split(paths.join("\n").replace(/\n$/, ""), cwd);
  const inside = insideFlag === "true";
  const root = inside ? await topOf(git, cwd) : dirOf(gitDir);
  const primary = await primaryOf(git, { root, commonDir, gitDir, inside });
  const bare = bareFlag === "true" || (await isBare(git, commonDir));
  return { root, primary: bare ? commonDir : primary, gitDir, commonDir, bare };
}

/** Like `findRepository`, but throws `not_a_repository`. */
export async function requireRepository(git: Git, cwd: string): Promise<Repository> {
  const found = await findRepository(git, cwd);
  if (found) return found;
  throw new GantryError("not_a_repository", `${cwd} is not in a git repository.`, {
    remedy: "Sessions can work there. For lanes, run git init and create a first commit.",
  });
}

/** The two paths may contain newlines and are printed one after the other. Both are existing folders. */
function split(text: string, cwd: string): [string, string] {
  const lines = text.split("\n");
  for (let at = 1; at < lines.length; at++) {
    const both = [lines.slice(0, at), lines.slice(at)].map((part) => resolveReal(resolve(cwd, part.join("\n"))));
    if (both[0] && both[1]) return [both[0], both[1]];
  }
  throw new GantryError("git_failed", `git does not report where the repository of ${cwd} is.`);
}

async function topOf(git: Git, cwd: string): Promise<string> {
  const top = (await git.read(cwd, ["rev-parse", "--show-toplevel"])).out.replace(/\n$/, "");
  return resolveReal(top) ?? top;
}

/** A folder inside `.git` belongs to the work tree that contains it. */
function dirOf(gitDir: string): string {
  return gitDir.endsWith("/.git") ? dirname(gitDir) : gitDir;
}

type Location = { root: string; commonDir: string; gitDir: string; inside: boolean };

/** Git lists the primary work tree first, wherever its `.git` is. */
async function primaryOf(git: Git, { root, commonDir, gitDir, inside }: Location): Promise<string> {
  if (gitDir === commonDir && inside) return root;
  const parent = commonDir.endsWith("/.git") ? dirname(commonDir) : undefined;
  if (parent) return parent;
  const named = await git.line(commonDir, ["config", "--get", "core.worktree"]);
  return named ? (resolveReal(resolve(commonDir, named)) ?? commonDir) : commonDir;
}

async function isBare(git: Git, commonDir: string): Promise<boolean> {
  return (await git.line(commonDir, ["config", "--type=bool", "--get", "core.bare"])) === "true";
}

function foreignOwner(cwd: string, err: string): GantryError {
  return new GantryError("git_failed", `git does not trust the repository of ${cwd}: it belongs to another user.`, {
    remedy: "git config --global --add safe.directory <the repository>",
    details: { output: err.trim() },
  });
}

function resolveReal(path: string): string | undefined {
  try {
    return realpathSync(join(path));
  } catch {
    return undefined;
  }
}
