import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError, type ToolPlace } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";

const MAX_LINKS = 40;

/** The absolute path that a model means: `~`, `file://` and what is relative to the session's folder. */
export function resolvePath(path: string, place: ToolPlace): string {
  if (path.includes("\0")) throw new ToolError("A path cannot contain a NUL character.");
  if (path.trim() === "") throw new ToolError("The path is empty.");
  if (path.startsWith("file://")) return fromFileUrl(path);
  if (path === "~" || path.startsWith("~/")) return join(place.env.HOME ?? homedir(), path.slice(1));
  return resolve(place.cwd, path);
}

/**
 * Where a path really leads, links followed, also for what does not exist yet: the nearest folder that exists counts,
 * and a link to nothing leads to where writing through it would create a file.
 */
export function realPath(path: string, links = MAX_LINKS): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ELOOP" || links === 0) throw new ToolError(`${path}: symbolic links lead in a circle.`);
    if (code === "ENAMETOOLONG") throw new ToolError(`${path}: the name is too long.`);
    const target = linkTarget(path);
    if (target !== undefined) return realPath(resolve(dirname(path), target), links - 1);
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent, links), basename(path));
  }
}

/**
 * Where a path really leads, as the permission sees it: what is in the session's folder (or one of those beside it) under
 * that folder's own name, even if the folder itself is reached by a link; what a link leads out of it under its real one.
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

/** As short as possible for people and models. A newline in a name is written as an escape. */
export function displayPath(path: string, place: ToolPlace): string {
  const home = [place.cwd, realPath(place.cwd)].find((folder) => isWithin(folder, path));
  const shown = home ? relative(home, path) || "." : path;
  return /[\n\r\t]/.test(shown) ? JSON.stringify(shown) : shown;
}

/** The real path of what is touched now; refuses if a link was turned elsewhere since the call was allowed. */
export function allowedPath(path: string, place: ToolPlace, actions: readonly Action[]): string {
  const leads = actionPath(path, place);
  const known = actions.some((action) => "path" in action && action.path === leads);
  if (!known) throw new ToolError(`${path} leads elsewhere now than when the call was allowed. Try again.`);
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
    throw new ToolError(`${url} is not an address of a file here.`);
  }
}
