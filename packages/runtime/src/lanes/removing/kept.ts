import { existsSync } from "node:fs";
import { GantryError } from "@gantry/protocol";
import { commitOf } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { setRef } from "../git/refs.ts";
import { commitTree, snapshot } from "../git/snapshot.ts";
import type { LaneRecord } from "../port.ts";

/** What was in a lane when it was removed, and where in the repository it is kept. */
export type Kept = {
  ref: string;
  commit: string;
  /** What was checked out; absent where there was no commit. */
  head?: string;
  /** What was staged, where that was neither HEAD nor the files. */
  index?: string;
  /** The tip of the lane's own branch. */
  tip?: string;
};

export const UNDO_REFS = "refs/gantry/undo";

/** `refs/gantry/undo/<lane>/<time>`; `at` is an ISO time. */
export function undoRef(lane: string, at: string): string {
  return `${UNDO_REFS}/${lane.replace(/[^A-Za-z0-9_-]/g, "-")}/${at.replace(/[-:]|\.\d+/g, "")}`;
}

/** Keeps commits and files of a lane under a ref. Done again, it finds the ref and changes nothing. */
export async function keep(git: Git, lane: LaneRecord, ref: string): Promise<Kept | undefined> {
  const { repository, path, branch, ownBranch, name } = lane;
  const known = await commitOf(git, repository, ref);
  const tip = branch !== undefined && ownBranch ? await commitOf(git, repository, `refs/heads/${branch}`) : undefined;
  if (known) return { ...(await read(git, repository, known)), ref, commit: known };
  const message = `Gantry: the lane ${name} when it was removed\n\n`;
  const taken = existsSync(path)
    ? await fromFolder(git, path, message, tip)
    : await tipAlone(git, repository, message, tip);
  if (!taken) return undefined;
  await setRef(git, repository, ref, taken.commit, "");
  return { ...taken, ref };
}

type Taken = Omit<Kept, "ref">;

/** What the commit is made of stands in its message, so that it can be read without Gantry's own records. */
async function fromFolder(git: Git, path: string, message: string, tip: string | undefined): Promise<Taken> {
  const { commit, head, index } = await snapshot(
    git,
    path,
    `${message}${tip ? `Branch: ${tip}\n` : ""}`,
    tip ? [tip] : [],
  );
  return { commit, head, index, tip };
}

/** The folder is gone; its branch is all there is. */
async function tipAlone(
  git: Git,
  repository: string,
  message: string,
  tip: string | undefined,
): Promise<Taken | undefined> {
  if (!tip) return undefined;
  const commit = await commitTree(git, repository, `${tip}^{tree}`, [tip], `${message}Branch: ${tip}\n`);
  return { commit, head: tip, tip };
}

/** What a kept commit says of itself. Its parents are HEAD, the index where it differed, and the branch where it did. */
async function read(git: Git, repository: string, commit: string): Promise<Taken> {
  const { out } = await git.read(repository, ["show", "-s", "--format=%P%n%b", commit]);
  const [parents = "", ...body] = out.split("\n");
  const tip = body.map((line) => /^Branch: ([0-9a-f]+)$/.exec(line)?.[1]).find(Boolean);
  const all = parents.split(" ").filter(Boolean);
  const subjects = await Promise.all(all.map((one) => git.line(repository, ["show", "-s", "--format=%an %s", one])));
  const index = all.find((_, i) => subjects[i] === "Gantry index");
  const [head] = all.filter((one) => one !== index);
  return { commit, head, index, tip };
}

/** What a ref keeps. Throws `invalid` for one that is none of ours. */
export async function readKept(git: Git, repository: string, ref: string): Promise<Kept> {
  const commit = ref.startsWith(`${UNDO_REFS}/`) ? await commitOf(git, repository, ref) : undefined;
  if (!commit) throw new GantryError("invalid", `There is no ${ref} in ${repository}.`);
  return { ...(await read(git, repository, commit)), ref, commit };
}

/** Puts the files as they were into a work tree that has HEAD as it was. Done again, it comes to the same. */
export async function applySnapshot(git: Git, path: string, { commit, index }: Kept): Promise<void> {
  // Nothing was changed there: a large work tree is not gone through once more.
  const [files, head] = await Promise.all([treeOf(git, path, commit), treeOf(git, path, "HEAD")]);
  if (files === head && index === undefined) return;
  await git.write(path, ["read-tree", "--reset", "-u", commit]);
  await git.write(path, ["read-tree", "--reset", index ?? "HEAD"]);
  await git.write(path, ["update-index", "-q", "--refresh"], { answers: [1] });
}

function treeOf(git: Git, path: string, commit: string): Promise<string | undefined> {
  return git.line(path, ["rev-parse", "--verify", "--quiet", `${commit}^{tree}`]);
}
