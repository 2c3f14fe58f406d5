import { delimiter, isAbsolute } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What an agent's process may see of the daemon's environment: all of it but Gantry's own variables, then `more`. */
export function agentEnvironment(env: Environment, more: Record<string, string> = {}): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith("GANTRY_")) clean[name] = value;
  }
  return { ...clean, ...more };
}

/** The folders of a PATH. Relative ones are left out: what they mean depends on where the daemon was started. */
export function pathFolders(path: string | undefined): string[] {
  return (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

/**
 * PATH with `folder` in it. A script that was found outside of PATH starts with `#!/usr/bin/env node`, and the right
 * node is the one beside it.
 */
export function pathWith(path: string | undefined, folder: string): string {
  if (pathFolders(path).includes(folder)) return path ?? "";
  return path ? `${folder}${delimiter}${path}` : folder;
}
