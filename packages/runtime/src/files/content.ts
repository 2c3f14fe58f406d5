import { constants, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { extname, resolve, sep } from "node:path";
import { GantryError } from "@gantry/protocol";
import { fileRoots, realPath } from "../session/folders.ts";
import type { FileContent } from "./handlers.ts";

/** Pictures that a page may show. All else goes as text, so that nothing of it is ever run. */
const PICTURES: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".bmp": "image/bmp",
  ".ico": "image/x-icon",
  ".svg": "image/svg+xml",
};
const LIMIT_MB = 16;

/**
 * A file inside the session's folder or the upload folder, also behind links. Throws `not_found`, `outside_folder`,
 * `invalid` for what is no plain file, or `too_large`.
 */
export async function readContent(path: string, cwd: string, home: string): Promise<FileContent> {
  const real = resolveInside(path, cwd, home);
  await using file = await openPlain(real, path);
  const { size } = await file.stat();
  if (size > LIMIT_MB * 1024 * 1024) {
    throw new GantryError("too_large", `${path} has ${Math.ceil(size / 1024 / 1024)} MB; ${LIMIT_MB} MB are shown.`, {
      remedy: "Open it on the machine itself.",
    });
  }
  return { body: await file.readFile(), type: PICTURES[extname(real).toLowerCase()] ?? "text/plain; charset=utf-8" };
}

function resolveInside(path: string, cwd: string, home: string): string {
  const roots = fileRoots(cwd, home);
  const named = resolve(cwd, path);
  const real = realPath(named);
  if (roots.some((root) => (real ?? named).startsWith(root + sep))) {
    if (real) return real;
    throw new GantryError("not_found", `${path} does not exist.`);
  }
  throw new GantryError("outside_folder", `${path} lies outside the session's folder.`, {
    remedy: `Only files in ${cwd} and uploads are shown.`,
  });
}

/** Opens the checked file and no replacement (TOCTOU). Does not block on a pipe without a writer. */
async function openPlain(real: string, path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(real, flags).catch((error: NodeJS.ErrnoException) => {
    throw new GantryError("not_found", `${path} cannot be read (${error.code}).`);
  });
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    throw new GantryError("invalid", `${path} is not a file.`);
  }
  const now = realPath(real) === real ? statSync(real, { throwIfNoEntry: false }) : undefined;
  if (now?.ino === stats.ino && now.dev === stats.dev) return file;
  await file.close();
  throw new GantryError("not_found", `${path} has just been changed.`, { remedy: "Try again." });
}
