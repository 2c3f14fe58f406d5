import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";

/** An entry of `enabledModels` or `disabledProviders`: a value for all folders, or values for some folders and below. */
export type ScopedEntry = string | { paths: readonly string[]; values: readonly string[] };

/** The values that apply in a folder, in file order. */
export function valuesFor(entries: readonly ScopedEntry[], cwd: string, home = homedir()): string[] {
  return entries.flatMap((entry) => {
    if (typeof entry === "string") return [entry];
    return entry.paths.some((path) => isWithin(cwd, expand(path, home))) ? entry.values : [];
  });
}

/** Whether the path is the folder or below it. `/work-2` is not within `/work`. */
export function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [resolve(path), resolve(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}

function expand(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(home, path);
}
