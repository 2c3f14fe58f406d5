import { delimiter, isAbsolute } from "node:path";

const DEFAULT_PATH = "/usr/bin:/bin";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The daemon's environment without Gantry's variables, merged with `more`. */
export function agentEnvironment(env: Environment, more: Record<string, string> = {}): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith("GANTRY_")) clean[name] = value;
  }
  return { ...clean, ...more };
}

/** The absolute folders of a PATH. Relative ones are skipped, because they depend on where the daemon was started. */
export function pathFolders(path: string | undefined): string[] {
  return (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

/** For a program that starts in a repository: a relative entry of PATH would be searched there. */
export function withoutRelativePath(env: Environment): Record<string, string | undefined> {
  return { ...env, PATH: pathFolders(env.PATH).join(delimiter) || DEFAULT_PATH };
}

/**
 * PATH with `folder` added if absent. A script found outside PATH often starts with `#!/usr/bin/env node` and needs the
 * node installed next to it.
 */
export function pathWith(path: string | undefined, folder: string): string {
  if (pathFolders(path).includes(folder)) return path ?? "";
  return path ? `${folder}${delimiter}${path}` : folder;
}
