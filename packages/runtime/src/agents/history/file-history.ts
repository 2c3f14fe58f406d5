import { type Dirent, lstatSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { History, HistoryPlace, Past, PastHead } from "../contract.ts";
import { headLines } from "./line-file.ts";

/** What the head of a file says; time and size are those of the file. */
export type Head = Pick<PastHead, "id" | "cwd" | "title" | "startedAt" | "messages">;

export type FileHistory = {
  folders(place: HistoryPlace): string[];
  /** Is this a conversation's own file? `path` is the one below the folder, with slashes. */
  isOurs(path: string): boolean;
  /**
   * From the first lines; `undefined` where they hold no conversation of a person's. Asked with more of them while there
   * are more and the title is not known. Thousands of files are listed at once: it parses no more than it must.
   */
  head(lines: string[], path: string): Head | undefined;
  read(found: PastHead): AsyncIterable<Past>;
};

/** So much of a file is read first, and so much more where that does not do. */
const HEAD_BYTES = [16 * 1024, 128 * 1024, 1024 * 1024];
/** The heads of so many files are read at a time. */
const AT_ONCE = 16;
const DEEPEST = 8;

/** A history that is kept in one file for each conversation. */
export function fileHistory({ folders, isOurs, head, read }: FileHistory): History {
  return { folders, find, read };

  async function* find(place: HistoryPlace): AsyncGenerator<PastHead> {
    const files = (await Promise.all(folders(place).map((folder) => filesBelow(folder, isOurs)))).flat();
    files.sort((a, b) => b.mtimeMs - a.mtimeMs);
    for (let from = 0; from < files.length; from += AT_ONCE) {
      const some = files.slice(from, from + AT_ONCE).map((file) => headOf(file, place));
      for (const found of await Promise.all(some)) if (found) yield found;
    }
  }

  async function headOf({ path, mtimeMs, size }: Found, place: HistoryPlace): Promise<PastHead | undefined> {
    const stamp = `${mtimeMs} ${size}`;
    const known = place.heads?.recall(path, stamp);
    if (known?.hit) return known.head;
    const said = await firstWords(path, size).catch(() => undefined);
    const found = said && { ...said, path, bytes: size, updatedAt: new Date(mtimeMs).toISOString() };
    place.heads?.keep(path, stamp, found);
    return found;
  }

  async function firstWords(path: string, size: number): Promise<Head | undefined> {
    let said: Head | undefined;
    for (const bytes of HEAD_BYTES) {
      said = head(await headLines(path, Math.min(bytes, size || 1)), path);
      if (said?.title || bytes >= size) break;
    }
    return said;
  }
}

type Found = { path: string; mtimeMs: number; size: number };

/** Files below a folder, links not followed. What cannot be read is not there. */
async function filesBelow(root: string, isOurs: (path: string) => boolean): Promise<Found[]> {
  const found: string[] = [];
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const below = entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < DEEPEST) await look(path, depth + 1);
      if (entry.isFile() && isOurs(relative(root, path))) found.push(path);
    });
    await Promise.all(below);
  };
  if (!lstatSync(root, { throwIfNoEntry: false })) return [];
  await look(root, 0);
  const stats = await Promise.all(
    found.map(async (path) => {
      const { mtimeMs, size } = await lstat(path).catch(() => ({ mtimeMs: 0, size: -1 }));
      return { path, mtimeMs, size };
    }),
  );
  return stats.filter(({ size }) => size >= 0);
}
