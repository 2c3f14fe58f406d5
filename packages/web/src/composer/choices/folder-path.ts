/** A partly typed path: the folder to list, and the prefix of the next name. */
export type TypedPath = { folder: string | undefined; prefix: string };

/** Splits a partly typed path. `~` is the user's home. Without a leading `/` or `~` there is no folder to list. */
export function splitTypedPath(typed: string, home: string | undefined): TypedPath {
  const path = home && /^~(\/|$)/.test(typed) ? home + typed.slice(1) : typed;
  if (!path.startsWith("/")) return { folder: undefined, prefix: path };
  const cut = path.lastIndexOf("/");
  return { folder: path.slice(0, cut) || "/", prefix: path.slice(cut + 1) };
}

/** The typed path as an absolute path without a trailing slash; `undefined` if it is not absolute. */
export function absolutePath(typed: string, home: string | undefined): string | undefined {
  const { folder, prefix } = splitTypedPath(typed.trim(), home);
  if (folder === undefined) return undefined;
  if (prefix === "") return folder;
  return folder === "/" ? `/${prefix}` : `${folder}/${prefix}`;
}

/** Folders whose names start with the prefix, ignoring case. */
export function filterByPrefix<T extends { name: string }>(folders: readonly T[], prefix: string): T[] {
  const lower = prefix.toLowerCase();
  return folders.filter(({ name }) => name.toLowerCase().startsWith(lower));
}
