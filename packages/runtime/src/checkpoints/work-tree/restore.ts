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

/** A file as a tree has it: mode and blob of git. `undefined` stands for none. */
export type Entry = { mode: string; blob: string };

/** What is to become of one path. */
export type Wish = { path: RawPath; entry: Entry | undefined };

const LINK = "120000";
const EXECUTABLE = "100755";

/** What a tree has at these paths. */
export async function entriesAt(
  shadow: Shadow,
  commit: string,
  paths: readonly RawPath[],
): Promise<Map<RawPath, Entry>> {
  const wanted = new Set<string>(paths);
  const { bytes } = await shadow.read(["ls-tree", "-r", "-z", "--full-tree", commit]);
  const found = new Map<RawPath, Entry>();
  for (const row of bytes.toString("latin1").split("\0")) {
    const [facts = "", path = ""] = split(row);
    if (!wanted.has(path)) continue;
    const [mode = "", , blob = ""] = facts.split(" ");
    found.set(path as RawPath, { mode, blob });
  }
  return found;
}

/** So many bytes are held in memory at once, but for a file that is larger. */
const HELD_BYTES = 64 * 1024 * 1024;
/** What a file is called until it is whole; after a crash it is written once more, under the same name. */
const UNFINISHED = Buffer.from(".gantry-unfinished");

/**
 * Makes the paths what is wished of them: what is to go goes first, so that a folder can take the place of a file. Each
 * file is whole at any moment, and a second time changes nothing. Throws when a path leads through a link, which could
 * point anywhere, or the disk refuses.
 */
export async function restore(shadow: Shadow, wishes: readonly Wish[]): Promise<void> {
  const { root } = shadow.place;
  for (const { path, entry } of wishes) if (!entry) remove(root, path);
  const written = wishes.filter((wish): wish is { path: RawPath; entry: Entry } => wish.entry !== undefined);
  for await (const [index, bytes] of blobs(
    shadow,
    written.map(({ entry }) => entry.blob),
  )) {
    const wish = written[index];
    if (wish) write(root, wish.path, wish.entry.mode, bytes);
  }
}

/** The bytes of blobs with their places in the list, few processes for many. */
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
  const beside = Buffer.concat([target, UNFINISHED]);
  rmSync(beside, { force: true });
  try {
    if (mode === LINK) symlinkSync(bytes, beside);
    else {
      writeFileSync(beside, bytes, { flag: "wx" });
      const kept = before?.isFile() ? before.mode & 0o777 : lstatSync(beside).mode & 0o777;
      chmodSync(beside, mode === EXECUTABLE ? kept | ((kept & 0o444) >> 2) : kept & ~0o111);
    }
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** A folder with something in it stays: that is ignored, or somebody's. */
function removeEmpty(folder: Buffer): void {
  try {
    rmdirSync(folder);
  } catch {
    throw inTheWay(folder, "a file of that name is needed");
  }
}

function inTheWay(what: Buffer, why: string): GantryError {
  return new GantryError("conflict", `${what} is in the way: ${why}.`, { remedy: "Move it away, then try again." });
}

/** Takes a file away, and the folders that are empty then. */
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

/** Are all folders above it real ones? Otherwise there is no such file in this tree. */
function standsInFolders(root: string, path: RawPath): boolean {
  return parentsOf(path).every((folder) => lookAt(root, folder)?.isDirectory());
}

function makeFolders(root: string, path: RawPath): void {
  for (const folder of parentsOf(path)) {
    const stats = lookAt(root, folder);
    if (stats?.isDirectory()) continue;
    if (stats) throw inTheWay(onDisk(root, folder), "a folder of that name is needed");
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

/** From the outermost. */
function parentsOf(path: RawPath): RawPath[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/") as RawPath);
}

function split(row: string): [string, string] {
  const at = row.indexOf("\t");
  return [row.slice(0, at), row.slice(at + 1)];
}
