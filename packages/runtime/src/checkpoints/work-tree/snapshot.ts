import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LeftOut } from "@gantry/protocol";
import type { Reader } from "./refs.ts";
import type { Shadow } from "./shadow.ts";
import { type Taking, TooMuch, takeIn } from "./take-in.ts";

/** The work tree at a moment: a commit whose parent is what HEAD was then. */
export type Snapshot = { commit: string; tree: string; head?: string; branch?: string; left: LeftOut[] };

const AUTHOR = {
  GIT_AUTHOR_NAME: "Gantry",
  GIT_AUTHOR_EMAIL: "gantry@localhost",
  GIT_COMMITTER_NAME: "Gantry",
  GIT_COMMITTER_EMAIL: "gantry@localhost",
};
const TITLE = "Gantry checkpoint";

/** Keeps the work tree as it is now. Where nothing has changed since `last`, that is it. Throws `TooMuch` or git's words. */
export async function takeSnapshot(taking: Taking, last?: Snapshot): Promise<Snapshot> {
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

/** What a snapshot left out, from its commit. */
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

async function treeOf(taking: Taking): Promise<{ tree: string; left: LeftOut[] }> {
  const { shadow } = taking;
  const left = await mended(taking, () => takeIn(taking));
  const index = await withAbsent(shadow);
  const env = index ? { GIT_INDEX_FILE: index } : {};
  try {
    const { out } = await shadow.write(["write-tree", "--missing-ok"], { env });
    return { tree: out.trim(), left };
  } finally {
    if (index) rmSync(index, { force: true });
  }
}

/** An index that a crash has damaged is made anew, once. */
async function mended<Result>({ shadow, ignored }: Taking, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooMuch || !existsSync(shadow.index)) throw error;
    shadow.forgetIndex();
    ignored.forget();
    return work();
  }
}

/**
 * What the user's git has but does not lay out here (outside of a sparse checkout, submodules that were never fetched) is
 * not deleted: it is put into a copy of the index, from which the tree is made. `undefined` where there is none of it.
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

/** Is there a file of that name, or one where a folder of its path would be? */
function isTaken(ours: ReadonlySet<string>, path: string): boolean {
  if (ours.has(path)) return true;
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (ours.has(path.slice(0, at))) return true;
  }
  return false;
}
