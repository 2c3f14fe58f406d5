import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type CreateSession, GantryError } from "@gantry/protocol";

/** The real path of a folder, by default the daemon's own. Throws `invalid`. */
export function sessionFolder({ cwd = process.cwd() }: Pick<CreateSession, "cwd">): string {
  if (!isAbsolute(cwd)) throw new GantryError("invalid", `cwd must be an absolute path, not ${cwd}.`);
  const real = realPath(cwd);
  if (!real || !statSync(real).isDirectory()) {
    throw new GantryError("invalid", `${cwd} is not a folder.`, { remedy: "Create it, or pass another folder." });
  }
  return real;
}

/** The real paths of the folders in which a session's files may be: its own and the uploads. */
export function fileRoots(cwd: string, home: string): string[] {
  return [cwd, realPath(join(home, "uploads")) ?? join(home, "uploads")];
}

/** `undefined` if the path does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
