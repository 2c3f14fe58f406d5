import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { coverageOf } from "./coverage.ts";
import { digestItems, hashText } from "./digest.ts";
import { itemKey, type TrustItem } from "./items.ts";
import { realPath } from "./paths.ts";

/** A folder that the user has trusted. `items` has the hash of each item by its key. */
export type TrustedFolder = { path: string; trustedAt: string; items: Record<string, string> };

/**
 * The trusted folders, shared by the daemon, the own agent and the command line. One file per folder, so that concurrent
 * writers do not overwrite each other. Every call reads the disk: a decision in another process counts at once. A file
 * that is missing, damaged or not private trusts nothing. Reads never throw; writes throw what the file system throws.
 */
export interface TrustStore {
  list(): TrustedFolder[];
  /** The record of exactly this folder. */
  find(folder: string): TrustedFolder | undefined;
  /** Whether every item has a record with its hash, in the folder's own records or in those that cover it. */
  covers(folder: string, items: readonly TrustItem[]): boolean;
  /** The covering folder that has a record, the nearest first. */
  coveringFolder(folder: string): string | undefined;
  /** Replaces the record of the folder. */
  trust(folder: string, items: readonly TrustItem[]): void;
  /** Trusts further items of the folder and keeps its other records. */
  add(folder: string, items: readonly TrustItem[]): void;
  /** Whether there was a record. */
  revoke(folder: string): boolean;
  /** Remembers that the user does not want to decide about this content now. */
  dismiss(folder: string, items: readonly TrustItem[]): void;
  isDismissed(folder: string, items: readonly TrustItem[]): boolean;
}

const recordSchema = z.object({
  version: z.literal(1),
  path: z.string(),
  trustedAt: z.string(),
  items: z.record(z.string(), z.string()),
});
const dismissalSchema = z.object({ path: z.string(), digest: z.string() });
const oldSchema = z.object({ folders: z.record(z.string(), z.object({ files: z.record(z.string(), z.string()) })) });

/** `home` is GANTRY_HOME. `agentDir` may hold the store of an earlier version, which is moved once. */
export function openTrustStore(home: string, agentDir = join(home, "agent")): TrustStore {
  const dir = join(home, "trust");
  const fileOf = (folder: string, end: string) => join(dir, `${hashText(realPath(folder))}${end}`);
  const find = (folder: string): TrustedFolder | undefined => {
    const path = realPath(folder);
    const { version: _, ...record } = readPrivate(fileOf(path, ".json"), recordSchema) ?? { version: 1, path: "" };
    return record.path === path && "items" in record ? record : undefined;
  };
  const write = (folder: string, items: Record<string, string>) => {
    const record = { version: 1, path: realPath(folder), trustedAt: new Date().toISOString(), items };
    writePrivate(dir, fileOf(folder, ".json"), record);
  };
  moveOldStore(join(agentDir, "trusted-projects.json"), (folder, files) => {
    if (!find(folder)) write(folder, files);
  });
  return {
    find,
    list() {
      const records = namesIn(dir).flatMap((name) => readPrivate(join(dir, name), recordSchema)?.path ?? []);
      return records.flatMap((path) => find(path) ?? []).sort((a, b) => a.path.localeCompare(b.path));
    },
    covers(folder, items) {
      const records = coverageOf(folder).flatMap(({ folder: at, record }) => {
        const known = find(record);
        return known ? [{ at, items: known.items }] : [];
      });
      return items.every((item) => records.some(({ at, items: known }) => known[itemKey(item, at)] === item.hash));
    },
    coveringFolder: (folder) => coverageOf(folder).find(({ record }) => find(record))?.record,
    trust(folder, items) {
      const path = realPath(folder);
      write(path, Object.fromEntries(items.map((item) => [itemKey(item, path), item.hash])));
    },
    add(folder, items) {
      const path = realPath(folder);
      const added = Object.fromEntries(items.map((item) => [itemKey(item, path), item.hash]));
      write(path, { ...find(path)?.items, ...added });
    },
    revoke(folder) {
      const known = find(folder) !== undefined;
      rmSync(fileOf(folder, ".json"), { force: true });
      return known;
    },
    dismiss(folder, items) {
      const path = realPath(folder);
      writePrivate(dir, fileOf(path, ".later"), { path, digest: digestItems(items, path) });
    },
    isDismissed(folder, items) {
      const path = realPath(folder);
      return readPrivate(fileOf(path, ".later"), dismissalSchema)?.digest === digestItems(items, path);
    },
  };
}

/** `undefined` for anything but a regular file that only its owner, this user, can write. */
function readPrivate<Value>(file: string, schema: z.ZodType<Value>): Value | undefined {
  try {
    const kind = lstatSync(file);
    if (!kind.isFile() || (kind.mode & 0o022) !== 0 || kind.uid !== (process.getuid?.() ?? kind.uid)) return undefined;
    return schema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}

function writePrivate(dir: string, file: string, value: object): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, file);
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

/** Its records have absolute paths. Renamed afterwards, so that a revoked folder does not come back. */
function moveOldStore(file: string, write: (folder: string, files: Record<string, string>) => void): void {
  const old = readPrivate(file, oldSchema);
  if (!old) return;
  try {
    for (const [folder, { files }] of Object.entries(old.folders)) {
      const items = Object.entries(files).map(([path, hash]) => [itemKey({ file: path }, folder), hash]);
      write(folder, Object.fromEntries(items));
    }
    renameSync(file, `${file}.moved`);
  } catch {
    // A home that cannot be written trusts nothing.
  }
}
