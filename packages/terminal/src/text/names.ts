import { homedir } from "node:os";

/** The end of an id, which every command accepts instead of the id. */
export function shortId(id: string): string {
  return id.slice(-6);
}

/** A path with the home folder as `~`. */
export function homePath(path: string): string {
  const home = homedir();
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** A path relative to the session's folder if it lies inside, otherwise with `~`. */
export function insidePath(path: string, cwd: string | undefined): string {
  if (cwd && path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1);
  return homePath(path);
}

/** The first line of a text, for a list. */
export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
