import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Replaces a file atomically: readers see the old text or the new one, also after a crash. Writes a temporary file in the
 * same folder, flushes it to disk and renames it. Creates missing folders, writes through symbolic links, and keeps the
 * permissions of an existing file unless `mode` is given; a new file is readable by its owner only. Throws what the file system throws, and then
 * the old file is unchanged.
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  const target = linkTarget(path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const existing = statSync(target, { throwIfNoEntry: false });
  const draft = `${target}.${randomBytes(4).toString("hex")}.draft`;
  try {
    writeDraft(draft, text, mode ?? (existing ? existing.mode & 0o777 : 0o600));
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeDraft(draft: string, text: string, mode: number): void {
  const handle = openSync(draft, "wx", mode);
  try {
    // The umask applies to `openSync`, and must not narrow the permissions of an existing file.
    fchmodSync(handle, mode);
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The file that a path leads to. The target of a link need not exist. */
function linkTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? linkTarget(resolve(dirname(path), readlinkSync(path))) : path;
}
