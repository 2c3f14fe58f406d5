import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { type CreateLane, GantryError, type LaneBase } from "@gantry/protocol";
import { branchRefOf, commitOf, headOf, isBranchName, mergeBase, requireCommit } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import type { Repository } from "../git/repository.ts";
import { listWorktrees } from "../git/worktrees.ts";
import { freeName, nameFrom, slugOf } from "../names.ts";
import type { LaneRecord, NamedBy } from "../port.ts";

/** The properties of a new lane, decided before anything is changed. */
export type Choice = {
  name: string;
  namedBy: NamedBy;
  path: string;
  branch: string;
  ownBranch: boolean;
  commit: string;
  base: LaneBase;
};

export type ChoiceContext = {
  git: Git;
  repository: Repository;
  /** Lanes of the repository. */
  lanes: readonly LaneRecord[];
  /** The folder that holds the worktrees of all repositories. */
  folder: string;
  branchPrefix: string;
};

/** Throws `no_commits`, `invalid` or `conflict`. Changes nothing. */
export async function choose(body: CreateLane, around: ChoiceContext): Promise<Choice> {
  const { git, repository } = around;
  const { primary } = repository;
  const begun = body.branch === undefined ? await fromBase(body, around) : await fromBranch(body.branch, around);
  const { name, namedBy } = await nameOf(body, around);
  const home = laneHome(around.folder, repository);
  const branches = new Set(
    (await git.read(primary, ["for-each-ref", "--format=%(refname)", "refs/heads"])).out.split("\n"),
  );
  const isTaken = (slug: string) =>
    existsSync(join(home, slug)) ||
    around.lanes.some(({ path }) => path === join(home, slug)) ||
    (body.branch === undefined && branches.has(`refs/heads/${around.branchPrefix}${slug}`));
  const slug = freeName(slugOf(name), isTaken);
  const branch = body.branch ?? `${around.branchPrefix}${slug}`;
  if (body.branch === undefined && !(await isBranchName(git, primary, branch))) {
    throw new GantryError("invalid", `${branch} is not a valid branch name.`, {
      remedy: "Give the lane another name.",
    });
  }
  return { name, namedBy, path: join(home, slug), branch, ownBranch: body.branch === undefined, ...begun };
}

/** The folder among the lanes that holds those of one repository. */
export function laneHome(folder: string, { commonDir, primary }: Pick<Repository, "commonDir" | "primary">): string {
  const hash = createHash("sha256").update(commonDir).digest("hex").slice(0, 10);
  return join(folder, `${slugOf(basename(primary, ".git"))}-${hash}`);
}

async function fromBase(
  { base, commit: requested }: CreateLane,
  { git, repository }: ChoiceContext,
): Promise<Pick<Choice, "commit" | "base">> {
  const { primary } = repository;
  if (base === undefined) {
    const { branch, commit } = await requireHead(git, primary);
    return { commit, base: { ...(branch ? { ref: branch } : {}), commit } };
  }
  const [commit, ref] = [await requireCommit(git, primary, requested ?? base), await branchRefOf(git, primary, base)];
  const short = ref?.replace(/^refs\/(heads|remotes)\//, "");
  return { commit, base: { ...(short ? { ref: short } : {}), commit } };
}

async function fromBranch(
  branch: string,
  { git, repository }: ChoiceContext,
): Promise<Pick<Choice, "commit" | "base">> {
  const { primary } = repository;
  const commit = await commitOf(git, primary, `refs/heads/${branch}`);
  if (!commit) {
    throw new GantryError("invalid", `${primary} has no branch ${branch}.`, {
      remedy: `\`git branch\` lists the branches. To create a branch from another one, pass that as \`base\`.`,
    });
  }
  const elsewhere = (await listWorktrees(git, primary)).find((tree) => tree.branch === branch && !tree.gone);
  if (elsewhere) {
    throw new GantryError("conflict", `${branch} is already checked out in ${elsewhere.path}.`, {
      remedy: "Work there, or create a new branch from it: pass it as `base`.",
      details: { path: elsewhere.path },
    });
  }
  return { commit, base: await mergeBaseWithPrimary(git, primary, commit) };
}

/** The base of an existing branch: its merge base with the HEAD of the primary work tree. */
export async function mergeBaseWithPrimary(git: Git, primary: string, commit: string): Promise<LaneBase> {
  const head = await headOf(git, primary);
  const parted = head.commit && (await mergeBase(git, primary, head.commit, commit));
  return parted ? { ...(head.branch ? { ref: head.branch } : {}), commit: parted } : { commit };
}

async function requireHead(git: Git, primary: string): Promise<{ branch?: string; commit: string }> {
  const { branch, commit } = await headOf(git, primary);
  if (commit) return { branch, commit };
  throw new GantryError("no_commits", `${primary} has no commit yet, so a lane has nothing to start from.`, {
    remedy: "Create a first commit there: git add -A && git commit. Until then, sessions work in the folder itself.",
  });
}

/** Names are unique within a repository. */
async function nameOf(
  { name, prompt, branch }: CreateLane,
  { lanes }: ChoiceContext,
): Promise<Pick<Choice, "name" | "namedBy">> {
  const isTaken = (candidate: string) => lanes.some((lane) => lane.name.toLowerCase() === candidate.toLowerCase());
  if (name === undefined) {
    const suggested = prompt === undefined && branch !== undefined ? slugOf(basename(branch)) : nameFrom(prompt ?? "");
    return { name: freeName(suggested, isTaken), namedBy: "prompt" };
  }
  if (!isTaken(name)) return { name, namedBy: "hand" };
  throw nameTaken(name);
}

export function nameTaken(name: string): GantryError {
  return new GantryError("conflict", `A lane named ${name} already exists in this repository.`, {
    remedy: "Choose another name, or work in that lane.",
  });
}
