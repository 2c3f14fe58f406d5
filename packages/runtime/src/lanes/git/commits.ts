import { GantryError } from "@gantry/protocol";
import type { Git } from "./git.ts";

/** The tips of all branches, local and remote, by full name. */
export type Tips = ReadonlyMap<string, string>;

/** The commit that a name resolves to, or `undefined`. */
export function commitOf(git: Git, cwd: string, name: string): Promise<string | undefined> {
  return git.line(cwd, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
}

/** Like `commitOf`, but throws `invalid`. */
export async function requireCommit(git: Git, cwd: string, name: string): Promise<string> {
  const commit = await commitOf(git, cwd, name);
  if (commit) return commit;
  throw new GantryError("invalid", `There is no branch and no commit ${name} in ${cwd}.`, {
    remedy: "`git branch --all` lists the branches.",
  });
}

/** `refs/heads/x` or `refs/remotes/…`, if the name is that of a branch. */
export async function branchRefOf(git: Git, cwd: string, name: string): Promise<string | undefined> {
  const full = await git.line(cwd, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--symbolic-full-name",
    "--end-of-options",
    name,
  ]);
  return full && /^refs\/(heads|remotes)\//.test(full) ? full : undefined;
}

/** HEAD: a branch, which may have no commit yet, or a detached commit. */
export async function headOf(git: Git, cwd: string): Promise<{ branch?: string; commit?: string }> {
  const [branch, commit] = await Promise.all([
    git.line(cwd, ["symbolic-ref", "--quiet", "--short", "HEAD"]),
    commitOf(git, cwd, "HEAD"),
  ]);
  return { ...(branch ? { branch } : {}), ...(commit ? { commit } : {}) };
}

export async function tipsOf(git: Git, cwd: string): Promise<Tips> {
  const { out } = await git.read(cwd, [
    "for-each-ref",
    "--format=%(refname)%00%(objectname)",
    "refs/heads",
    "refs/remotes",
  ]);
  return new Map(
    out
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\0") as [string, string]),
  );
}

/** The merge base of two commits; `undefined` if their histories are unrelated. */
export async function mergeBase(git: Git, cwd: string, one: string, other: string): Promise<string | undefined> {
  return (await git.line(cwd, ["merge-base", one, other]))?.split("\n")[0];
}

export async function isAncestor(git: Git, cwd: string, ancestor: string, commit: string): Promise<boolean> {
  const { code } = await git.read(cwd, ["merge-base", "--is-ancestor", ancestor, commit], { answers: [1] });
  return code === 0;
}

/** Commits that only `commit` has, and those that only `base` has. */
export async function aheadBehind(
  git: Git,
  cwd: string,
  commit: string,
  base: string,
): Promise<{ ahead: number; behind: number }> {
  if (commit === base) return { ahead: 0, behind: 0 };
  const { out } = await git.read(cwd, ["rev-list", "--left-right", "--count", `${commit}...${base}`, "--"]);
  const [ahead = 0, behind = 0] = out.trim().split(/\s+/).map(Number);
  return { ahead, behind };
}

/** The number of commits that are on no remote and in none of `elsewhere`: deleting their branch would lose them. */
export async function countUnpushed(
  git: Git,
  cwd: string,
  commit: string,
  elsewhere: readonly string[],
): Promise<number> {
  const known = elsewhere.map((one) => `^${one}`);
  const { out } = await git.read(cwd, ["rev-list", "--count", commit, ...known, "--not", "--remotes", "--"]);
  return Number(out.trim());
}

/** Whether git accepts the name for a branch. */
export async function isBranchName(git: Git, cwd: string, name: string): Promise<boolean> {
  return (await git.line(cwd, ["check-ref-format", "--branch", name])) !== undefined;
}
