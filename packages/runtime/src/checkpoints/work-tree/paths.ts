import { join, posix, relative } from "node:path";

/**
 * A path from the root of a work tree with one character per byte, because file names need not be UTF-8. It is decoded
 * only for people.
 */
export type RawPath = string & { readonly raw: unique symbol };

/** Paths as git prints them with `-z`. */
export function rawPaths(bytes: Buffer): RawPath[] {
  const text = bytes.toString("latin1");
  return text === "" ? [] : (text.replace(/\0$/, "").split("\0") as RawPath[]);
}

export function rawPath(bytes: Buffer | string): RawPath {
  return (typeof bytes === "string" ? Buffer.from(bytes) : bytes).toString("latin1") as RawPath;
}

/** For git's standard input. */
export function nulTerminated(paths: readonly RawPath[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** For the file system. */
export function onDisk(root: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** For people: relative to a session's folder. */
export function readablePath(root: string, cwd: string, path: RawPath): string {
  const readable = Buffer.from(path, "latin1").toString("utf8");
  return cwd === root ? readable : posix.normalize(relative(cwd, join(root, readable)));
}

/** A path that a person gave relative to a session's folder, from the root; `undefined` if it is outside. */
export function rawPathFrom(root: string, cwd: string, name: string): RawPath | undefined {
  const path = relative(root, join(cwd, name));
  if (path === ".." || path.startsWith("../")) return undefined;
  return rawPath(path);
}
