import { type Dirent, lstatSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { ConversationHead, History, HistoryEntry, HistoryPlace } from "../contract.ts";
import { headLines } from "./line-file.ts";

/** What the head of a file contains. Time and size come from the file system. */
export type Head = Pick<ConversationHead, "id" | "cwd" | "title" | "startedAt" | "messages">;

export type FileHistory = {
  folders(place: HistoryPlace): string[];
  /** Whether the file holds a conversation. `path` is relative to the folder, with slashes. */
  isConversation(path: string): boolean;
  /**
   * Reads the first lines; `undefined` when they hold no user conversation. Called again with more lines while the
   * title is unknown. It runs for thousands of files, so it should parse as little as possible.
   */
  head(lines: string[], path: string): Head | undefined;
  read(found: ConversationHead): AsyncIterable<HistoryEntry>;
};

/** Bytes to read first, and then while the title is unknown. */
const HEAD_BYTES = [16 * 1024, 128 * 1024, 1024 * 1024];
/** Number of file heads read concurrently. */
const CONCURRENCY = 16;
const MAX_DEPTH = 8;

/** A history with one file per conversation. */
export function fileHistory({ folders, isConversation: isOurs, head, read }: FileHistory): History {
  return { folders, find, read };

  async function* find(place: HistoryPlace): AsyncGenerator<ConversationHead> {
    const files = (await Promise.all(folders(place).map((folder) => filesBelow(folder, isOurs)))).flat();
    files.sort((a, b) => b.mtimeMs - a.mtimeMs);
    for (let from = 0; from < files.length; from += CONCURRENCY) {
      const some = files.slice(from, from + CONCURRENCY).map((file) => headOf(file, place));
      for (const found of await Promise.all(some)) if (found) yield found;
    }
  }

  async function headOf({ path, mtimeMs, size }: Found, place: HistoryPlace): Promise<ConversationHead | undefined> {
    const stamp = `${mtimeMs} ${size}`;
    const known = place.heads?.recall(path, stamp);
    if (known?.hit) return known.head;
    const parts = await readHead(path, size).catch(() => undefined);
    const found = parts && { ...parts, path, bytes: size, updatedAt: new Date(mtimeMs).toISOString() };
    place.heads?.store(path, stamp, found);
    return found;
  }

  async function readHead(path: string, size: number): Promise<Head | undefined> {
    let found: Head | undefined;
    for (const bytes of HEAD_BYTES) {
      found = head(await headLines(path, Math.min(bytes, size || 1)), path);
      if (found?.title || bytes >= size) break;
    }
    return found;
  }
}

type Found = { path: string; mtimeMs: number; size: number };

/** Files below a folder, without following links. Unreadable entries are skipped. */
async function filesBelow(root: string, isOurs: (path: string) => boolean): Promise<Found[]> {
  const found: string[] = [];
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const below = entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < MAX_DEPTH) await look(path, depth + 1);
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
