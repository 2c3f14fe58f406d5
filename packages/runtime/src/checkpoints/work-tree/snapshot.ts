import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LeftOut } from "@gantry/protocol";
import type { Reader } from "./refs.ts";
import type { Shadow } from "./shadow.ts";
import { type IndexUpdate, TooManyFiles, updateIndex } from "./update-index.ts";

/** The work tree at a moment: a commit whose parent is the HEAD of that moment. */
export type Snapshot = { commit: string; tree: string; head?: string; branch?: string; left: LeftOut[] };

const AUTHOR = {
  GIT_AUTHOR_NAME: "Gantry",
  GIT_AUTHOR_EMAIL: "gantry@localhost",
  GIT_COMMITTER_NAME: "Gantry",
  GIT_COMMITTER_EMAIL: "gantry@localhost",
};
const TITLE = "Gantry checkpoint";

/** Stores the current work tree. Returns `last` if nothing has changed. Throws `TooManyFiles` or git's errors. */
export async function takeSnapshot(taking: IndexUpdate, last?: Snapshot): Promise<Snapshot> {
  const { shadow } = taking;
  await shadow.prepare();
  const [{ head, branch }, { left, tree }] = await Promise.all([headOf(shadow), treeOf(taking)]);
  const same = last && last.tree === tree && last.head === head && JSON.stringify(last.left) === JSON.stringify(left);
  if (same) return { ...last, ...(branch ? { branch } : {}) };
  const args = ["commit-tree", "--no-gpg-sign", tree, ...(head ? ["-p", head] : [])];
  const input = `${TITLE}\n\n${JSON.stringify({ left, ...(branch ? { branch } : {}) })}\n`;
  const commit = (await shadow.write(args, { input, env: AUTHOR })).out.trim();
  return { commit, tree, left, ...(head ? { head } : {}), ...(branch ? { branch } : {}) };
}

/** The files that a snapshot omitted, from its commit. */
export async function leftOutOf(reader: Reader, commit: string): Promise<LeftOut[]> {
  const { out } = await reader.read(["log", "-1", "--format=%b", commit]);
  try {
    return (JSON.parse(out) as { left?: LeftOut[] }).left ?? [];
  } catch {
    return [];
  }
}

async function headOf(shadow: Shadow): Promise<{ head?: string; branch?: string }> {
  const line = async (args: string[]) => (await shadow.look(args, { answers: [1, 128] })).out.trim() || undefined;
  const [head, branch] = await Promise.all([
    line(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
    line(["symbolic-ref", "--quiet", "--short", "HEAD"]),
  ]);
  return { head, branch };
}

async function treeOf(taking: IndexUpdate): Promise<{ tree: string; left: LeftOut[] }> {
  const { shadow } = taking;
  const left = await withIndexRepair(taking, () => updateIndex(taking));
  const index = await withAbsent(shadow);
  const env = index ? { GIT_INDEX_FILE: index } : {};
  try {
    const { out } = await shadow.write(["write-tree", "--missing-ok"], { env });
    return { tree: out.trim(), left };
  } finally {
    if (index) rmSync(index, { force: true });
  }
}

/** Rebuilds an index that a crash damaged, once. */
async function withIndexRepair<Result>({ shadow, ignored }: IndexUpdate, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyFiles || !existsSync(shadow.index)) throw error;
    shadow.forgetIndex();
    ignored.forget();
    return work();
  }
}

/**
 * Tracked files that are not checked out (outside a sparse checkout, submodules never fetched) are not deleted: they are
 * added to a copy of the index, from which the tree is written. `undefined` if there are none.
 */
async function withAbsent(shadow: Shadow): Promise<string | undefined> {
  const { root, gitDir } = shadow.place;
  const isSparse = existsSync(join(gitDir, "info", "sparse-checkout"));
  if (!isSparse && !existsSync(join(root, ".gitmodules"))) return undefined;
  const theirs = (await shadow.look(["ls-files", "-z", "-s", "-t"])).bytes.toString("latin1").split("\0");
  const absent = theirs.filter((entry) => /^S /.test(entry) || /^. 160000 /.test(entry));
  if (absent.length === 0) return undefined;
  const ours = new Set((await shadow.read(["ls-files", "-z"])).bytes.toString("latin1").split("\0"));
  const missing = absent.filter((entry) => !isTaken(ours, entry.slice(entry.indexOf("\t") + 1)));
  if (missing.length === 0) return undefined;
  const copy = `${shadow.index}.whole`;
  copyFileSync(shadow.index, copy);
  const input = Buffer.from(missing.map((entry) => `${entry.slice(2)}\0`).join(""), "latin1");
  await shadow.write(["update-index", "-z", "--index-info"], { input, env: { GIT_INDEX_FILE: copy } });
  return copy;
}

/** Whether a file has that name, or the name of one of its folders. */
function isTaken(ours: ReadonlySet<string>, path: string): boolean {
  if (ours.has(path)) return true;
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (ours.has(path.slice(0, at))) return true;
  }
  return false;
}
