import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";

/** An entry of `enabledModels` or `disabledProviders`: a word that counts everywhere, or words that count below some folders. */
export type ScopedEntry = string | { paths: readonly string[]; values: readonly string[] };

/** The words that count in a folder, in the order in which they stand. */
export function inForce(entries: readonly ScopedEntry[], cwd: string, home = homedir()): string[] {
  return entries.flatMap((entry) => {
    if (typeof entry === "string") return [entry];
    return entry.paths.some((path) => isWithin(cwd, expand(path, home))) ? entry.values : [];
  });
}

/** Is it the folder itself or one below it? `/work-2` is not within `/work`. */
export function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [resolve(path), resolve(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}

function expand(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(home, path);
}
