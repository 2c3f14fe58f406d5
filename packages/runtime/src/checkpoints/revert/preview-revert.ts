import { lstatSync } from "node:fs";
import type { RevertedFile } from "@gantry/protocol";
import { changesBetween } from "../work-tree/diff.ts";
import { onDisk, type RawPath, readablePath } from "../work-tree/paths.ts";
import { type Entry, entriesAt, type FileRestore } from "../work-tree/restore.ts";
import type { WorkTree } from "../work-tree/work-tree.ts";

/** The expected and the target state: two commits, and which of the differing files. */
export type Aim = { from: string; to: string; only?: readonly RawPath[] };

/** The effect on each file, for people and for the restore. */
export type RevertPreview = { files: RevertedFile[]; changes: FileRestore[] };

const SUBMODULE = "160000";

/** Compares both commits with the current work tree, which the checkpoint `now` holds. */
export async function previewRevert(tree: WorkTree, cwd: string, aim: Aim, now: string): Promise<RevertPreview> {
  const { from, to, only } = aim;
  const all = await changesBetween(tree.shadow, from, to, { renames: false });
  const paths = all.map(({ path }) => path).filter((path) => !only || only.some((name) => covers(name, path)));
  const [expected, target, current] = await Promise.all(
    [from, to, now].map((commit) => entriesAt(tree.shadow, commit, paths)),
  );
  const result: RevertPreview = { files: [], changes: [] };
  for (const path of paths) {
    const entry = target?.get(path);
    const file = judge(tree.place.root, path, { entry, expected: expected?.get(path), current: current?.get(path) });
    result.files.push({ path: readablePath(tree.place.root, cwd, path), ...file });
    if (file.action !== "none") result.changes.push({ path, entry });
  }
  return result;
}

function covers(name: RawPath, path: RawPath): boolean {
  return name === "" || path === name || path.startsWith(`${name}/`);
}

type Versions = { entry: Entry | undefined; expected: Entry | undefined; current: Entry | undefined };

function judge(root: string, path: RawPath, { entry, expected, current }: Versions): Omit<RevertedFile, "path"> {
  const noAction = (why: string) => ({ action: "none" as const, conflict: false, why });
  if ([entry, expected, current].some((one) => one?.mode === SUBMODULE)) return noAction("a separate repository");
  if (isSameEntry(entry, current) && (entry || !isThere(root, path))) return noAction("already in that state");
  if (!current && isThere(root, path)) return noAction("ignored or too large now, so it is not changed");
  const action = entry ? ("write" as const) : ("delete" as const);
  if (isSameEntry(expected, current)) return { action, conflict: false };
  return { action, conflict: true, why: current ? "changed since" : "deleted since" };
}

function isSameEntry(one: Entry | undefined, other: Entry | undefined): boolean {
  return one?.mode === other?.mode && one?.blob === other?.blob;
}

/** Folders do not count: an empty one is replaced by the file. */
function isThere(root: string, path: RawPath): boolean {
  try {
    return !lstatSync(onDisk(root, path)).isDirectory();
  } catch {
    return false;
  }
}
