import { accessSync, constants, realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";

/** An absolute path without `.`, `..`, empty names and a slash at its end. Comparing such paths as text is much faster. */
const RESOLVED = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/;

/** Whether the path is one of the folders or in one of them. Compares names only; the sandbox handles links. */
export function isInside(path: string, folders: readonly string[]): boolean {
  const isResolved = RESOLVED.test(path);
  return folders.some((folder) => {
    if (isResolved && RESOLVED.test(folder)) return path === folder || path.startsWith(`${folder}/`);
    const way = relative(folder, path);
    return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
  });
}

/**
 * All paths that an argument of a command may denote. The kernel resolves `..` after a link, so that `link/../x` is not `x`. Undefined
 * stands for a path that is not known. Use it only to find out what a command may touch.
 */
export function possiblePaths(
  text: string,
  cwd: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): (string | undefined)[] {
  const named = expandedPath(text, cwd, env);
  if (named === undefined || !text.includes("..")) return [named];
  const expanded = expandText(text, cwd, env).replace(/^~(?=\/|$)/, env.HOME || homedir());
  try {
    return [...new Set([named, realpathSync.native(isAbsolute(expanded) ? expanded : `${cwd}/${expanded}`)])];
  } catch {
    return [named];
  }
}

/**
 * Like `pathOf`, with environment variables and `~user` expanded. Use it only to find out what a command may
 * touch, never to allow it: the shell may have other values.
 */
export function expandedPath(
  text: string,
  cwd: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return pathOf(expandText(text, cwd, env), cwd, env.HOME || homedir());
}

function expandText(text: string, cwd: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  const home = env.HOME || homedir();
  return text
    .replace(/^~\+(?=\/|$)/, () => cwd ?? "~+")
    .replace(/^~([\w.-]+)(?=\/|$)/, (whole, name: string) => (name === userInfo().username ? home : whole))
    .replace(/\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g, (whole, plain?: string, braced?: string) => {
      const name = plain ?? braced ?? "";
      return name === "HOME"
        ? home
        : name === "PWD"
          ? (cwd ?? whole)
          : ((Object.hasOwn(env, name) ? env[name] : undefined) ?? whole);
    });
}

/** The absolute path that an argument denotes; `undefined` if the shell expands something unknown in it. */
export function pathOf(text: string, cwd: string | undefined, home = homedir()): string | undefined {
  const expanded = text.replace(/^~(?=\/|$)/, home).replace(/^\$(HOME\b|\{HOME\})/, home);
  if (/[$`\u0001]|^~/.test(expanded)) return undefined;
  if (isAbsolute(expanded)) return resolve(expanded);
  return cwd === undefined ? undefined : join(cwd, expanded);
}

/** Whether the file exists and may be executed. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
