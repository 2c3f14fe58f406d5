import { createHash } from "node:crypto";
import { aheadBehind, countUnpushed, type Tips, tipsOf } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { findRepository, type Repository } from "../git/repository.ts";
import { type Status, statusOf } from "../git/status.ts";
import { listWorktrees, type Worktree } from "../git/worktrees.ts";
import { TimedCache } from "./timed-cache.ts";

/** Git's facts about repositories and lanes, cached for about as long as a person looks at a list. */
export class GitFacts {
  readonly #git: Git;
  readonly #repositories = new TimedCache<Repository | undefined>(5_000);
  readonly #worktrees = new TimedCache<Worktree[]>(1_000);
  readonly #tips = new TimedCache<Tips>(1_000);
  readonly #status = new TimedCache<Status>(1_500);
  readonly #distances = new TimedCache<{ ahead: number; behind: number }>(Number.POSITIVE_INFINITY);
  readonly #unpushed = new TimedCache<number>(Number.POSITIVE_INFINITY);

  constructor(git: Git) {
    this.#git = git;
  }

  repository(cwd: string, refresh = false): Promise<Repository | undefined> {
    return this.#repositories.get(cwd, () => findRepository(this.#git, cwd), refresh);
  }

  worktrees(repository: string, refresh = false): Promise<Worktree[]> {
    return this.#worktrees.get(repository, () => listWorktrees(this.#git, repository), refresh);
  }

  tips(repository: string, refresh = false): Promise<Tips> {
    return this.#tips.get(repository, () => tipsOf(this.#git, repository), refresh);
  }

  status(path: string, refresh = false): Promise<Status> {
    return this.#status.get(path, () => statusOf(this.#git, path), refresh);
  }

  /** Refreshes what all lanes of a repository share, before each lane is refreshed. */
  async renew(repository: string): Promise<void> {
    await Promise.all([this.worktrees(repository, true), this.tips(repository, true)]);
  }

  /** Between two commits, so it never changes. */
  distance(repository: string, commit: string, base: string): Promise<{ ahead: number; behind: number }> {
    const key = `${repository}\0${commit}\0${base}`;
    return this.#distances.get(key, () => aheadBehind(this.#git, repository, commit, base));
  }

  /** Commits that neither a remote nor `elsewhere` has. Read again when a remote branch has moved. */
  countUnpushed(repository: string, commit: string, elsewhere: readonly string[], tips: Tips): Promise<number> {
    if (elsewhere.includes(commit)) return Promise.resolve(0);
    const key = [repository, commit, ...elsewhere, remotes(tips)].join("\0");
    return this.#unpushed.get(key, () => countUnpushed(this.#git, repository, commit, elsewhere));
  }

  /** Invalidates the cache after Gantry changed the repository. */
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
