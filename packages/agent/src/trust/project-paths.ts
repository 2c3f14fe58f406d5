import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { statOf } from "@gantry/trust";
import { gitFolders } from "../permissions/git-folders.ts";
import { isInside } from "../permissions/paths.ts";

export type ProjectPlace = { cwd: string; folders?: readonly string[]; home: string };

const MOST_LINKS = 40;
const DEFAULT_PATH = "/usr/bin:/bin";

/**
 * The folders whose content a repository supplies or the agent may write without a question: the session's folders, the
 * checkout that they belong to, and the main checkout of a worktree. A folder that contains the user's home is not a
 * project: everything that the user has installed would count as part of it.
 */
export function projectFolders({ cwd, folders = [], home }: ProjectPlace): string[] {
  const userHome = realPath(home);
  const all = [cwd, ...folders].map(realPath).flatMap((folder) => [folder, ...checkoutsOf(folder)]);
  return [...new Set(all)].filter((folder) => !isInside(userHome, [folder]));
}

function checkoutsOf(folder: string): string[] {
  const above: string[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, ".git"))) above.push(at);
  const isGitFolder = (path: string) => basename(path) === ".git" && statOf(path)?.isDirectory();
  return [...above, ...gitFolders(folder).map(realPath).filter(isGitFolder).map(dirname)];
}

/** Whether a file, or any symbolic link on the way to it, lies in one of the folders. */
export function passesThrough(path: string, folders: readonly string[]): boolean {
  if (folders.length === 0) return false;
  let at = resolve(path);
  for (let links = 0; links < MOST_LINKS; links += 1) {
    if (isInside(at, folders) || isInside(join(realPath(dirname(at)), basename(at)), folders)) return true;
    const next = linkTarget(at);
    if (next === undefined) return isInside(realPath(at), folders);
    at = next;
  }
  return true;
}

function linkTarget(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  return resolve(realPath(dirname(path)), readlinkSync(path));
}

/**
 * The entries of PATH that lie outside of the project. A relative or empty entry depends on the folder: never used. The
 * result is never empty, because an empty PATH means the current folder.
 */
export function pathOutside(path: string, folders: readonly string[]): string {
  const outside = path.split(delimiter).filter((entry) => isAbsolute(entry) && !passesThrough(entry, folders));
  return outside.join(delimiter) || DEFAULT_PATH;
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
