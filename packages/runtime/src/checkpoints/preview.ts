import { lstatSync } from "node:fs";
import type { RevertedFile } from "@gantry/protocol";
import { changesBetween } from "./work-tree/diff.ts";
import { onDisk, type RawPath, seenFrom } from "./work-tree/paths.ts";
import { type Entry, entriesAt, type Wish } from "./work-tree/restore.ts";
import type { WorkTree } from "./work-tree/work-tree.ts";

/** From how files are thought to be to how they are to be: two commits, and which of the files that differ. */
export type Aim = { from: string; to: string; only?: readonly RawPath[] };

/** What becomes of each file, for people and to be done. */
export type Preview = { files: RevertedFile[]; wishes: Wish[] };

const SUBMODULE = "160000";

/** Compares both with the work tree as the checkpoint `now` has it. */
export async function preview(tree: WorkTree, cwd: string, aim: Aim, now: string): Promise<Preview> {
  const { from, to, only } = aim;
  const all = await changesBetween(tree.shadow, from, to, { renames: false });
  const paths = all.map(({ path }) => path).filter((path) => !only || only.some((name) => covers(name, path)));
  const [thought, wanted, current] = await Promise.all(
    [from, to, now].map((commit) => entriesAt(tree.shadow, commit, paths)),
  );
  const result: Preview = { files: [], wishes: [] };
  for (const path of paths) {
    const entry = wanted?.get(path);
    const file = judge(tree.place.root, path, { entry, thought: thought?.get(path), current: current?.get(path) });
    result.files.push({ path: seenFrom(tree.place.root, cwd, path), ...file });
    if (file.action !== "none") result.wishes.push({ path, entry });
  }
  return result;
}

function covers(name: RawPath, path: RawPath): boolean {
  return name === "" || path === name || path.startsWith(`${name}/`);
}

type Known = { entry: Entry | undefined; thought: Entry | undefined; current: Entry | undefined };

function judge(root: string, path: RawPath, { entry, thought, current }: Known): Omit<RevertedFile, "path"> {
  const none = (why: string) => ({ action: "none" as const, conflict: false, why });
  if ([entry, thought, current].some((one) => one?.mode === SUBMODULE)) return none("a repository of its own");
  if (same(entry, current) && (entry || !isThere(root, path))) return none("as wanted already");
  if (!current && isThere(root, path)) return none("ignored or too large now, so it is left alone");
  const action = entry ? ("write" as const) : ("delete" as const);
  if (same(thought, current)) return { action, conflict: false };
  return { action, conflict: true, why: current ? "changed since" : "deleted since" };
}

function same(one: Entry | undefined, other: Entry | undefined): boolean {
  return one?.mode === other?.mode && one?.blob === other?.blob;
}

/** A folder does not count: it stands where a file is to be, and gives way if it is empty. */
function isThere(root: string, path: RawPath): boolean {
  try {
    return !lstatSync(onDisk(root, path)).isDirectory();
  } catch {
    return false;
  }
}
