import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { statOf } from "@gantry/trust";
import type { Config } from "../config.ts";
import type { Git } from "../lanes/git/git.ts";
import { findPlace, type Missing, mayBePlace } from "./work-tree/place.ts";
import { WorkTree } from "./work-tree/work-tree.ts";

const MB = 1024 * 1024;

const NO_GIT: Missing = {
  missing: "it is not in a git repository",
  remedy: "Run git init to enable diffs and reverts of turns.",
};

const GONE: Missing = {
  missing: "it no longer exists",
  remedy: "`gantry lanes undo` restores a removed lane.",
};

/** The work trees of the sessions, each opened once. */
export class WorkTrees {
  readonly #git: Git;
  readonly #home: string;
  readonly #config: Config["checkpoints"];
  readonly #byFolder = new Map<string, WorkTree>();
  readonly #byGitDir = new Map<string, WorkTree>();
  readonly #off = new Map<string, Missing & { stamp: number }>();

  constructor(git: Git, home: string, config: Config["checkpoints"]) {
    this.#git = git;
    this.#home = realpathSync(home);
    this.#config = config;
  }

  /** A cheap check whether the folder can have checkpoints. */
  may(cwd: string): boolean {
    return this.#config.enabled && mayBePlace(cwd);
  }

  /** The work tree of a folder, or why there is none. Never throws. */
  async of(cwd: string): Promise<WorkTree | Missing> {
    if (!existsSync(cwd)) return GONE;
    if (!mayBePlace(cwd)) return NO_GIT;
    const known = this.#byFolder.get(cwd);
    if (known && existsSync(known.place.gitDir)) return this.#offOf(known) ?? known;
    const place = await findPlace(this.#git, cwd);
    if ("missing" in place) return place;
    const tree = this.#byGitDir.get(place.gitDir) ?? this.#open(place);
    this.#byFolder.set(cwd, tree);
    return this.#offOf(tree) ?? tree;
  }

  /** Disables checkpoints here until .gitignore changes or the daemon restarts. */
  switchOff({ place }: WorkTree, why: Missing): void {
    this.#off.set(place.gitDir, { ...why, stamp: ignoreStamp(place.root) });
  }

  #open(place: WorkTree["place"]): WorkTree {
    const { fileMb, untrackedFiles } = this.#config;
    const tree = new WorkTree(this.#git, place, this.#home, () => ({ fileBytes: fileMb * MB, untrackedFiles }));
    this.#byGitDir.set(place.gitDir, tree);
    return tree;
  }

  #offOf({ place }: WorkTree): Missing | undefined {
    const off = this.#off.get(place.gitDir);
    if (!off || off.stamp !== ignoreStamp(place.root)) return undefined;
    return off;
  }
}

function ignoreStamp(root: string): number {
  return statOf(join(root, ".gitignore"))?.mtimeMs ?? 0;
}
