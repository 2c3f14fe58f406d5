import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  opendirSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { join, relative } from "node:path";

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_TEXT_BYTES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const MOST_ENTRIES = 2000;
const DEEPEST = 8;

/**
 * Reads a file that a repository supplies. Throws for anything but a regular file of bounded size: a FIFO would block the
 * caller for ever, and a device has no end. The size is checked while reading, too: files of `/proc` have the size 0, and a
 * file may grow.
 */
export function readRegularFile(path: string, most = MOST_BYTES): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const kind = fstatSync(file);
    if (!kind.isFile()) throw new Error(`${path} is not a regular file.`);
    if (kind.size > most) throw tooLarge(path, most);
    const parts: Buffer[] = [];
    for (let size = 0; ; ) {
      const part = Buffer.allocUnsafe(Math.min(most + 1 - size, Math.max(CHUNK_BYTES, kind.size + 1)));
      const count = readSync(file, part);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
      size += count;
      if (size > most) throw tooLarge(path, most);
    }
  } finally {
    closeSync(file);
  }
}

/** Like `readRegularFile`, for configuration, rules and git's small files: at most 1 MB of text. */
export function readRegularText(path: string, most = MOST_TEXT_BYTES): string {
  return readRegularFile(path, most).toString("utf8");
}

/**
 * The entries of a folder that a repository supplies, with paths relative to it; with `deep` those of its folders too. Links
 * to folders are not followed. Stops after 2,000 entries: the folder may be a link to the whole disk. Never throws.
 */
export function listEntries(folder: string, { deep = false } = {}): { path: string; entry: Dirent }[] {
  const found: { path: string; entry: Dirent }[] = [];
  const add = (at: string, depth: number) => {
    try {
      const open = opendirSync(at);
      const inner: string[] = [];
      for (let entry = open.readSync(); entry && found.length < MOST_ENTRIES; entry = open.readSync()) {
        const path = join(at, entry.name);
        found.push({ path: relative(folder, path), entry });
        if (deep && entry.isDirectory() && depth < DEEPEST) inner.push(path);
      }
      open.closeSync();
      for (const path of inner) if (found.length < MOST_ENTRIES) add(path, depth + 1);
    } catch {
      // Missing or not readable: it has no entries.
    }
  };
  add(folder, 0);
  return found;
}

/** What is at a path, links followed. `undefined` also for links that form a cycle and for folders without access. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function tooLarge(path: string, most: number): Error {
  return new Error(`${path} has more than ${Math.round(most / 1024)} KB.`);
}
