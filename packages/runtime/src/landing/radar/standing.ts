import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Lane } from "@gantry/protocol";
import { commitOf, mergeBase } from "../../lanes/git/commits.ts";
import type { Git } from "../../lanes/git/git.ts";
import { worktreeTree } from "../../lanes/git/snapshot.ts";

/** How a lane stands right now, with what is not committed in it. */
export type Standing = {
  lane: Lane;
  /** A commit with everything that is in the lane: its HEAD, or a hidden child of that. */
  tip: string;
  /** Where the base is now; absent where the lane has none. */
  base?: string;
  /** Paths that it changed since it left the base, and those that the base changed; what was moved counts twice. */
  files: string[];
  baseFiles: string[];
};

type Kept = { requestHash: string; tip: string };

/** Always the same commit for the same files, so that what was tried once need not be tried again. */
const TIMELESS = {
  GIT_AUTHOR_NAME: "Gantry",
  GIT_AUTHOR_EMAIL: "gantry@localhost",
  GIT_AUTHOR_DATE: "1700000000 +0000",
  GIT_COMMITTER_NAME: "Gantry",
  GIT_COMMITTER_EMAIL: "gantry@localhost",
  GIT_COMMITTER_DATE: "1700000000 +0000",
};

/** Reads how lanes stand. The files of one are read again only after something in it has changed. */
export class Standings {
  readonly #git: Git;
  readonly #kept = new Map<string, Kept>();
  readonly #files = new Map<string, [string[], string[]]>();

  constructor(git: Git) {
    this.#git = git;
  }

  /** `undefined` for a lane without a commit, or one whose folder is gone. */
  async of(lane: Lane): Promise<Standing | undefined> {
    const tip = await this.#tip(lane);
    if (!tip) return undefined;
    const base = await this.#base(lane);
    if (!base) return { lane, tip, files: [], baseFiles: [] };
    const [files, baseFiles] = await this.#changed(lane.repository, base, tip);
    return { lane, tip, base, files, baseFiles };
  }

  async #tip({ id, path, repository }: Lane): Promise<string | undefined> {
    const { out } = await this.#git.read(path, ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"]);
    const head = /# branch\.oid ([0-9a-f]{40,})/.exec(out)?.[1];
    if (!head) return undefined;
    const changed = changedPaths(out);
    if (changed.length === 0) return head;
    const requestHash = [out, ...changed.map((file) => trace(join(path, file)))].join("\0");
    const kept = this.#kept.get(id);
    if (kept?.requestHash === requestHash) return kept.tip;
    const tree = await worktreeTree(this.#git, path);
    const args = ["commit-tree", "--no-gpg-sign", "-p", head, tree];
    const tip = (await this.#git.write(repository, args, { input: "lane", env: TIMELESS })).out.trim();
    this.#kept.set(id, { requestHash, tip });
    return tip;
  }

  async #base({ repository, base }: Lane): Promise<string | undefined> {
    if (!base) return undefined;
    return (base.ref && (await commitOf(this.#git, repository, base.ref))) || base.commit;
  }

  async #changed(repository: string, base: string, tip: string): Promise<[string[], string[]]> {
    const key = `${base}:${tip}`;
    const known = this.#files.get(key);
    if (known) return known;
    const from = (await mergeBase(this.#git, repository, base, tip)) ?? base;
    const [mine, theirs] = await Promise.all([tip, base].map((end) => pathsBetween(this.#git, repository, from, end)));
    const files: [string[], string[]] = [mine ?? [], theirs ?? []];
    if (this.#files.size > 1000) this.#files.clear();
    this.#files.set(key, files);
    return files;
  }
}

/** Every path that differs between two commits, in order. */
export async function pathsBetween(git: Git, repository: string, from: string, to: string): Promise<string[]> {
  const { out } = await git.read(repository, ["diff-tree", "-r", "--name-only", "--no-renames", "-z", from, to]);
  return out.split("\0").filter(Boolean).sort();
}

/** Paths of `status --porcelain=v2 -z`. */
function changedPaths(out: string): string[] {
  const entries = out.split("\0");
  const paths: string[] = [];
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] ?? "";
    const fields = { "1": 8, "2": 9, u: 10, "?": 1 }[entry[0] ?? ""];
    if (fields === undefined || entry[1] !== " ") continue;
    paths.push(entry.split(" ").slice(fields).join(" "));
    if (entry[0] === "2") i++;
  }
  return paths;
}

/** Changes whenever the file is written. */
function trace(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.mtimeNs}:${stat.ctimeNs}:${stat.size}:${stat.ino}` : "-";
}
