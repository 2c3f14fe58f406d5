import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSecretPath } from "../../credentials.ts";
import { isInside } from "../../paths.ts";
import { isPlainDevice, isProcessFile } from "../../process-files.ts";

/** A larger folder outside the session's folders counts as one with secrets. */
const MOST_ENTRIES = 20_000;
const MOST_MATCHES = 2000;
/** Folders of the system without credentials, which are too large to search. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt/homebrew"];
/** Whether the content of this file is a credential. */
export function isSecretFile(path: string): boolean {
  if (isPlainDevice(path)) return false;
  return isSecretPath(path) || isProcessFile(path);
}

/** The real path of a link to a secret. */
export function linkedSecret(path: string): string | undefined {
  const real = isPlainDevice(path) ? path : realPathOf(path);
  return real !== path && isSecretFile(real) ? real : undefined;
}

/**
 * A secret below this folder, if there is one; "unknown" if the folder is too large to search. Folders of the session are searched only for links that lead out of them, and
 * only if `links`, because the caller may read everything else in them.
 */
export function findSecretBelow(folder: string, inside: readonly string[], links: boolean): string | undefined {
  const allowed = [...inside, ...inside.map(realPathOf)];
  const real = realPathOf(folder);
  if ((isInside(real, allowed) && !links) || isInside(real, SYSTEM)) return undefined;
  const waiting = new Set([real]);
  let count = 0;
  for (const at of waiting) {
    const own = isInside(at, allowed);
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (++count > MOST_ENTRIES) return own ? undefined : "unknown";
      if (!own && isSecretPath(path)) return path;
      const target = entry.isSymbolicLink() ? realPathOf(path) : path;
      if (target !== path && !isInside(target, allowed) && isSecretFile(target)) return target;
      if (entry.isDirectory() || (links && target !== path && !isInside(target, SYSTEM))) waiting.add(target);
    }
  }
  return undefined;
}

/** The paths that a shell pattern matches, hidden ones included. Undefined if there are too many. */
export function matchPattern(pattern: string): string[] | undefined {
  const parts = pattern.split("/");
  let found = [parts[0] === "" ? "/" : "."];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    found = found.flatMap((folder) => {
      if (part === "**") return [folder, ...foldersBelow(folder, 12)];
      if (!/[*?[]/.test(part)) return [join(folder, part)];
      const test = segmentPattern(part);
      return entriesOf(folder).flatMap(({ name }) => (test.test(name) ? [join(folder, name)] : []));
    });
    if (found.length > MOST_MATCHES) return undefined;
  }
  return found;
}

function foldersBelow(folder: string, depth: number): string[] {
  if (depth === 0) return [];
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [join(folder, name), ...foldersBelow(join(folder, name), depth - 1)]);
}

/** From a bracket on everything matches: it may contain a class or a bracket. A false match costs a question, not a secret. */
function segmentPattern(pattern: string): RegExp {
  // Many wildcards would take long to match, and match nearly everything.
  if ((pattern.match(/\*/g) ?? []).length > 3) return /^/;
  const source = pattern
    .replace(/\[.*$/s, "*")
    .replace(/[.+^$()|\\{}]/g, "\\$&")
    .replace(/\?/g, ".")
    .replace(/\*/g, ".*");
  // `nocaseglob` may be on.
  return new RegExp(`^${source}$`, "is");
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The real path, also of a file that does not exist in a linked folder. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), path.slice(dirname(path).length + 1));
  }
}
