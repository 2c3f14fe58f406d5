import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { GantryError } from "@gantry/protocol";
import { onDisk, type RawPath } from "./paths.ts";
import type { Shadow } from "./shadow.ts";

/** A file in a git tree: its mode and blob. `undefined` means that it does not exist. */
export type Entry = { mode: string; blob: string };

/** The target state of one path. */
export type FileRestore = { path: RawPath; entry: Entry | undefined };

const LINK = "120000";
const EXECUTABLE = "100755";

/** The entries of a commit at these paths. */
export async function entriesAt(
  shadow: Shadow,
  commit: string,
  paths: readonly RawPath[],
): Promise<Map<RawPath, Entry>> {
  const requested = new Set<string>(paths);
  const { bytes } = await shadow.read(["ls-tree", "-r", "-z", "--full-tree", commit]);
  const found = new Map<RawPath, Entry>();
  for (const row of bytes.toString("latin1").split("\0")) {
    const [facts = "", path = ""] = split(row);
    if (!requested.has(path)) continue;
    const [mode = "", , blob = ""] = facts.split(" ");
    found.set(path as RawPath, { mode, blob });
  }
  return found;
}

/** Limit of the bytes in memory, except for a single larger file. */
const HELD_BYTES = 64 * 1024 * 1024;
/** The suffix of a file that is being written. After a crash it is written again under the same name. */
const UNFINISHED = Buffer.from(".gantry-unfinished");

/**
 * Sets paths to their target state. Deletes first, so that a folder can replace a file. Each write is atomic, and the
 * whole is idempotent. Throws if a path leads through a link, which could point anywhere, or on a disk error.
 */
export async function restore(shadow: Shadow, files: readonly FileRestore[]): Promise<void> {
  const { root } = shadow.place;
  for (const { path, entry } of files) if (!entry) remove(root, path);
  const written = files.filter((file): file is { path: RawPath; entry: Entry } => file.entry !== undefined);
  for await (const [index, bytes] of blobs(
    shadow,
    written.map(({ entry }) => entry.blob),
  )) {
    const file = written[index];
    if (file) write(root, file.path, file.entry.mode, bytes);
  }
}

/** The content of blobs with their position in the list. Batches many blobs per process. */
async function* blobs(shadow: Shadow, ids: readonly string[]): AsyncGenerator<[number, Buffer]> {
  if (ids.length === 0) return;
  const { out } = await shadow.read(["cat-file", "--batch-check=%(objectsize)"], { input: `${ids.join("\n")}\n` });
  const sizes = out.split("\n").map(Number);
  for (let from = 0; from < ids.length; ) {
    let to = from + 1;
    for (let held = sizes[from] ?? 0; to < ids.length && held + (sizes[to] ?? 0) < HELD_BYTES; to++)
      held += sizes[to] ?? 0;
    const input = `${ids.slice(from, to).join("\n")}\n`;
    const { bytes } = await shadow.read(["cat-file", "--batch"], { input, most: 3 * 1024 * 1024 * 1024 });
    for (let at = 0; from < to; from++) {
      const start = bytes.indexOf("\n", at) + 1;
      const end = start + (sizes[from] ?? 0);
      yield [from, bytes.subarray(start, end)];
      at = end + 1;
    }
  }
}

function write(root: string, path: RawPath, mode: string, bytes: Buffer): void {
  const target = onDisk(root, path);
  makeFolders(root, path);
  const before = lstatSync(target, { throwIfNoEntry: false });
  if (before?.isDirectory()) removeEmpty(target);
  const draft = Buffer.concat([target, UNFINISHED]);
  rmSync(draft, { force: true });
  try {
    if (mode === LINK) symlinkSync(bytes, draft);
    else {
      writeFileSync(draft, bytes, { flag: "wx" });
      const current = before?.isFile() ? before.mode & 0o777 : lstatSync(draft).mode & 0o777;
      chmodSync(draft, mode === EXECUTABLE ? current | ((current & 0o444) >> 2) : current & ~0o111);
    }
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A folder with content stays: the content is ignored or belongs to the user. */
function removeEmpty(folder: Buffer): void {
  try {
    rmdirSync(folder);
  } catch {
    throw blockedBy(folder, "a file of that name is needed");
  }
}

function blockedBy(what: Buffer, why: string): GantryError {
  return new GantryError("conflict", `${what} blocks the restore: ${why}.`, { remedy: "Move it, then try again." });
}

/** Deletes a file, and the folders that become empty. */
function remove(root: string, path: RawPath): void {
  if (!standsInFolders(root, path)) return;
  const target = onDisk(root, path);
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (!stats || stats.isDirectory()) return;
  unlinkSync(target);
  for (const folder of parentsOf(path).reverse()) {
    try {
      rmdirSync(onDisk(root, folder));
    } catch {
      return;
    }
  }
}

/** Whether all parent folders are real folders. If not, the tree has no such file. */
function standsInFolders(root: string, path: RawPath): boolean {
  return parentsOf(path).every((folder) => lookAt(root, folder)?.isDirectory());
}

function makeFolders(root: string, path: RawPath): void {
  for (const folder of parentsOf(path)) {
    const stats = lookAt(root, folder);
    if (stats?.isDirectory()) continue;
    if (stats) throw blockedBy(onDisk(root, folder), "a folder of that name is needed");
    mkdirSync(onDisk(root, folder));
  }
}

function lookAt(root: string, path: RawPath) {
  try {
    return lstatSync(onDisk(root, path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The outermost first. */
function parentsOf(path: RawPath): RawPath[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/") as RawPath);
}

function split(row: string): [string, string] {
  const at = row.indexOf("\t");
  return [row.slice(0, at), row.slice(at + 1)];
}
