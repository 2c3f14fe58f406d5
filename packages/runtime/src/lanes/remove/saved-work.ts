import { existsSync } from "node:fs";
import { GantryError } from "@gantry/protocol";
import { commitOf } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { setRef } from "../git/refs.ts";
import { commitTree, snapshot } from "../git/snapshot.ts";
import type { LaneRecord } from "../port.ts";

/** The content of a lane at its removal, and the ref that holds it in the repository. */
export type SavedWork = {
  ref: string;
  commit: string;
  /** The HEAD commit; absent where there was none. */
  head?: string;
  /** The staged tree, where it differs from HEAD and from the files. */
  index?: string;
  /** The tip of the branch that Gantry created. */
  tip?: string;
};

export const UNDO_REFS = "refs/gantry/undo";

/** `refs/gantry/undo/<lane>/<time>`; `at` is an ISO time. */
export function undoRef(lane: string, at: string): string {
  return `${UNDO_REFS}/${lane.replace(/[^A-Za-z0-9_-]/g, "-")}/${at.replace(/[-:]|\.\d+/g, "")}`;
}

/** Saves the commits and files of a lane under a ref. Idempotent: an existing ref is returned unchanged. */
export async function saveWork(git: Git, lane: LaneRecord, ref: string): Promise<SavedWork | undefined> {
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

type Taken = Omit<SavedWork, "ref">;

/** The commit message lists the parts, so that they can be recovered without Gantry's records. */
async function fromFolder(git: Git, path: string, message: string, tip: string | undefined): Promise<Taken> {
  const { commit, head, index } = await snapshot(
    git,
    path,
    `${message}${tip ? `Branch: ${tip}\n` : ""}`,
    tip ? [tip] : [],
  );
  return { commit, head, index, tip };
}

/** The folder is missing, so the branch is all that can be saved. */
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

/** Reads a saved commit. Its parents are HEAD, the index if it differed, and the branch if it differed. */
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

/** The content of an undo ref. Throws `invalid` for any other ref. */
export async function readSavedWork(git: Git, repository: string, ref: string): Promise<SavedWork> {
  const commit = ref.startsWith(`${UNDO_REFS}/`) ? await commitOf(git, repository, ref) : undefined;
  if (!commit) throw new GantryError("invalid", `There is no ${ref} in ${repository}.`);
  return { ...(await read(git, repository, commit)), ref, commit };
}

/** Restores files and index into a work tree that has the saved HEAD. Idempotent. */
export async function applySnapshot(git: Git, path: string, { commit, index }: SavedWork): Promise<void> {
  // Without changes a large work tree needs no second pass.
  const [files, head] = await Promise.all([treeOf(git, path, commit), treeOf(git, path, "HEAD")]);
  if (files === head && index === undefined) return;
  await git.write(path, ["read-tree", "--reset", "-u", commit]);
  await git.write(path, ["read-tree", "--reset", index ?? "HEAD"]);
  await git.write(path, ["update-index", "-q", "--refresh"], { answers: [1] });
}

function treeOf(git: Git, path: string, commit: string): Promise<string | undefined> {
  return git.line(path, ["rev-parse", "--verify", "--quiet", `${commit}^{tree}`]);
}
