import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularText, statOf } from "@gantry/trust";
import { isInside } from "./paths.ts";

/**
 * The git data of a folder. `link`: the file `.git` of a linked worktree. `own`: the data of this worktree. `common`:
 * the data that all worktrees share; the same as `own` unless the worktree is linked.
 */
export type GitFolders = { link?: string; own: string; common: string };

/** The git data of the repository that contains the folder. Never throws. */
export function findGit(folder: string): GitFolders | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const git = join(at, ".git");
    const kind = statOf(git);
    if (kind?.isDirectory()) return { own: git, common: commonOf(git) };
    if (kind?.isFile()) return linkedFolders(at, git);
    if (dirname(at) === at) return undefined;
  }
}

/** Where git stores the folder's data, if that is outside the folder. */
export function gitFolders(folder: string): string[] {
  const git = findGit(folder);
  if (!git) return [];
  return [...new Set([git.own, git.common])].filter((path) => !isInside(path, [resolve(folder)]));
}

/** Whether the path is git's own data: in a folder `.git`, the file `.git` itself, or in the data of one of the folders. */
export function isGitData(path: string, folders: readonly string[]): boolean {
  return /(^|\/)\.git(\/|$)/i.test(path) || isInside(path, folders.flatMap(gitFolders));
}

/**
 * Files and folders in git's data that name programs which git runs later, or that lead to such files. A command that
 * could change them would make git run its code outside the sandbox. `missing` ones must not be created.
 */
export function gitPrograms(git: GitFolders): { present: string[]; missing: string[] } {
  const links = ["commondir", "config.worktree"];
  const programs = ["config", "config.worktree", "hooks", "info/attributes"];
  const modules = findModules(join(git.common, "modules"), 0);
  const trees = namesIn(join(git.common, "worktrees")).map((name) => join(git.common, "worktrees", name));
  const all = [
    ...(git.link ? [git.link] : []),
    ...[git.common, ...modules].flatMap((folder) => [...programs, "commondir"].map((name) => join(folder, name))),
    ...[...trees, ...(git.own === git.common ? [] : [git.own])].flatMap((folder) =>
      links.map((name) => join(folder, name)),
    ),
  ];
  const paths = [...new Set(all)];
  return { present: paths.filter((path) => existsSync(path)), missing: paths.filter((path) => !existsSync(path)) };
}

const DEEPEST_MODULE = 6;

/** The data of submodules, nested ones included. Their names may have several path segments. */
function findModules(folder: string, depth: number): string[] {
  if (depth > DEEPEST_MODULE) return [];
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    if (!existsSync(join(path, "HEAD"))) return findModules(path, depth + 1);
    return [path, ...findModules(join(path, "modules"), depth + 1)];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

function linkedFolders(at: string, link: string): GitFolders | undefined {
  try {
    const own = resolve(at, /^gitdir: (.+)$/m.exec(readRegularText(link))?.[1] ?? "");
    return { link, own, common: commonOf(own) };
  } catch {
    return undefined;
  }
}

function commonOf(own: string): string {
  try {
    return resolve(own, readRegularText(join(own, "commondir")).trim());
  } catch {
    return own;
  }
}
