import { createHash } from "node:crypto";
import { aheadBehind, type Tips, tipsOf, unpushed } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { findRepository, type Repository } from "../git/repository.ts";
import { type Status, statusOf } from "../git/status.ts";
import { listWorktrees, type Worktree } from "../git/worktrees.ts";
import { Remembered } from "./remembered.ts";

/** What git says of the repositories and lanes, asked no more often than a person looks. */
export class Facts {
  readonly #git: Git;
  readonly #repositories = new Remembered<Repository | undefined>(5_000);
  readonly #worktrees = new Remembered<Worktree[]>(1_000);
  readonly #tips = new Remembered<Tips>(1_000);
  readonly #status = new Remembered<Status>(1_500);
  readonly #distances = new Remembered<{ ahead: number; behind: number }>(Number.POSITIVE_INFINITY);
  readonly #unpushed = new Remembered<number>(Number.POSITIVE_INFINITY);

  constructor(git: Git) {
    this.#git = git;
  }

  repository(cwd: string, anew = false): Promise<Repository | undefined> {
    return this.#repositories.get(cwd, () => findRepository(this.#git, cwd), anew);
  }

  worktrees(repository: string, anew = false): Promise<Worktree[]> {
    return this.#worktrees.get(repository, () => listWorktrees(this.#git, repository), anew);
  }

  tips(repository: string, anew = false): Promise<Tips> {
    return this.#tips.get(repository, () => tipsOf(this.#git, repository), anew);
  }

  status(path: string, anew = false): Promise<Status> {
    return this.#status.get(path, () => statusOf(this.#git, path), anew);
  }

  /** What all lanes of a repository share is asked once, before each of them is looked at anew. */
  async renew(repository: string): Promise<void> {
    await Promise.all([this.worktrees(repository, true), this.tips(repository, true)]);
  }

  /** Between two commits; that never changes. */
  distance(repository: string, commit: string, base: string): Promise<{ ahead: number; behind: number }> {
    const key = `${repository}\0${commit}\0${base}`;
    return this.#distances.get(key, () => aheadBehind(this.#git, repository, commit, base));
  }

  /** Commits that neither a remote nor `elsewhere` has. It is asked again when a remote branch has moved. */
  unpushed(repository: string, commit: string, elsewhere: readonly string[], tips: Tips): Promise<number> {
    if (elsewhere.includes(commit)) return Promise.resolve(0);
    const key = [repository, commit, ...elsewhere, remotes(tips)].join("\0");
    return this.#unpushed.get(key, () => unpushed(this.#git, repository, commit, elsewhere));
  }

  /** Something was changed by us: what was known of it no longer holds. */
  forget(repository: string, path: string): void {
    this.#worktrees.forget(repository);
    this.#tips.forget(repository);
    this.#status.forget(path);
    this.#repositories.forget(path);
  }
}

function remotes(tips: Tips): string {
  const hash = createHash("sha256");
  for (const [name, commit] of tips) if (name.startsWith("refs/remotes/")) hash.update(`${name} ${commit}\n`);
  return hash.digest("hex");
}
