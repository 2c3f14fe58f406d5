/** What is typed so far: the folder that is looked into, and how the name of the next one begins. */
export type TypedPath = { folder: string | undefined; begins: string };

/** Splits a path that is being typed; `~` is the user's home. Without a leading `/` or `~` there is nothing to look into. */
export function typedPath(typed: string, home: string | undefined): TypedPath {
  const path = home && /^~(\/|$)/.test(typed) ? home + typed.slice(1) : typed;
  if (!path.startsWith("/")) return { folder: undefined, begins: path };
  const cut = path.lastIndexOf("/");
  return { folder: path.slice(0, cut) || "/", begins: path.slice(cut + 1) };
}

/** The path to use: absolute, without a slash at its end. `undefined` while it is none. */
export function finishedPath(typed: string, home: string | undefined): string | undefined {
  const { folder, begins } = typedPath(typed.trim(), home);
  if (folder === undefined) return undefined;
  if (begins === "") return folder;
  return folder === "/" ? `/${begins}` : `${folder}/${begins}`;
}

/** Those whose names begin like this, whatever the case. */
export function beginningWith<T extends { name: string }>(folders: readonly T[], begins: string): T[] {
  const wanted = begins.toLowerCase();
  return folders.filter(({ name }) => name.toLowerCase().startsWith(wanted));
}
