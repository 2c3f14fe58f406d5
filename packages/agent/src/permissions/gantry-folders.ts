import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { realPath } from "@gantry/trust";
import { isInside } from "./paths.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Parts of GANTRY_HOME that commands need and that hold no credentials. They stay readable. */
const SHARED = ["bin", "python-env", "uploads"];

/**
 * The folders that hold Gantry's credentials, logs and the agents' stdin: GANTRY_HOME, the default `~/.gantry` and the
 * agent's folder, each under its own name and its real path. Never throws.
 */
export function gantryFolders(env: Environment): string[] {
  const home = env.HOME || homedir();
  const named = [join(home, ".gantry"), env.GANTRY_HOME, env.GANTRY_AGENT_DIR].flatMap((path) =>
    path ? [resolve(path)] : [],
  );
  return [...new Set(named.flatMap((path) => [path, realPath(path)]))];
}

/** The readable parts of these folders. */
export function sharedFolders(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => SHARED.map((name) => join(folder, name)));
}

/**
 * Whether the path is in one of Gantry's folders. A session's own folder below them (a lane's worktree) is not, and
 * neither are the parts that every session may read.
 */
export function isGantryPath(path: string, folders: readonly string[], inside: readonly string[]): boolean {
  const paths = [path, realPath(path)];
  const own = inside.filter((folder) => isInside(folder, folders) && !folders.includes(folder));
  return paths.some((each) => isInside(each, folders) && !isInside(each, own));
}

/** Like `isGantryPath`, for reading. */
export function isGantrySecret(path: string, folders: readonly string[], inside: readonly string[]): boolean {
  return isGantryPath(path, folders, [...inside, ...sharedFolders(folders)]);
}

/** Whether a shell pattern can match one of these folders, or something in one. Hidden names need an explicit dot. */
export function matchesFolder(pattern: string, folders: readonly string[]): string | undefined {
  const parts = pattern.split("/");
  return folders.find((folder) => {
    const names = folder.split("/");
    return parts.length >= names.length && names.every((name, at) => segment(parts[at] ?? "").test(name));
  });
}

function segment(pattern: string): RegExp {
  const hidden = /^[*?[]/.test(pattern) ? "(?!\\.)" : "";
  // Brackets and braces match more here than in a shell: a false match costs a question, not a secret.
  const source = pattern
    .replace(/\[.*$/s, "*")
    .replace(/[.+^$()|\\]/g, "\\$&")
    .replace(/\?/g, ".")
    .replace(/\{[^}]*\}|\*/g, ".*");
  try {
    return new RegExp(`^${hidden}${source}$`, "i");
  } catch {
    return /^/;
  }
}

/** The tokens of the daemon's owner, which grant full access. */
export function ownerTokens(env: Environment): string[] {
  return gantryFolders(env).flatMap((folder) => {
    try {
      const token = readFileSync(join(folder, "token"), "utf8").trim();
      return token.length >= 32 ? [token] : [];
    } catch {
      return [];
    }
  });
}
