import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError, type ToolPlace } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";

const MAX_LINKS = 40;

/** Resolves a path of the model: `~`, `file://`, or relative to the session's folder. */
export function resolvePath(path: string, place: ToolPlace): string {
  if (path.includes("\0")) throw new ToolError("A path cannot contain a NUL character.");
  if (path.trim() === "") throw new ToolError("The path is empty.");
  if (path.startsWith("file://")) return fromFileUrl(path);
  if (path === "~" || path.startsWith("~/")) return join(place.env.HOME ?? homedir(), path.slice(1));
  return resolve(place.cwd, path);
}

/**
 * The real path, with links followed, also for a path that does not exist yet: its nearest existing folder is resolved,
 * and a dangling link resolves to the file that a write through it would create.
 */
export function realPath(path: string, links = MAX_LINKS): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ELOOP" || links === 0) throw new ToolError(`${path}: the symbolic links form a cycle.`);
    if (code === "ENAMETOOLONG") throw new ToolError(`${path}: the name is too long.`);
    const target = linkTarget(path);
    if (target !== undefined) return realPath(resolve(dirname(path), target), links - 1);
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent, links), basename(path));
  }
}

/**
 * The real path for the permission check. A path in the session's folders keeps that folder's own name, even if the folder
 * itself is reached by a link. A path that a link leads out of them has its real name.
 */
export function actionPath(path: string, place: ToolPlace): string {
  const real = realPath(resolvePath(path, place));
  for (const folder of [place.cwd, ...place.folders]) {
    const home = realPath(folder);
    if (isWithin(home, real)) return join(folder, relative(home, real));
  }
  return real;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The shortest form for people and models. A newline in a name is escaped. */
export function displayPath(path: string, place: ToolPlace): string {
  const home = [place.cwd, realPath(place.cwd)].find((folder) => isWithin(folder, path));
  const shown = home ? relative(home, path) || "." : path;
  return /[\n\r\t]/.test(shown) ? JSON.stringify(shown) : shown;
}

/** The real path at the time of use; refuses if a link was changed since the permission check (TOCTOU). */
export function allowedPath(path: string, place: ToolPlace, actions: readonly Action[]): string {
  const leads = actionPath(path, place);
  const known = actions.some((action) => "path" in action && action.path === leads);
  if (!known) throw new ToolError(`${path} points to another place than when the call was allowed. Try again.`);
  return realPath(leads);
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new ToolError(`${url} is not the address of a local file.`);
  }
}
