import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** Whether the path is the folder or lies in it. Compares text; resolve links first. */
export function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner === "" || (inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner));
}

/** The path with links resolved; the absolute path if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
