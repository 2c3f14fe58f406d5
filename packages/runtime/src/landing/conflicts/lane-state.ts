import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Lane } from "@gantry/protocol";
import { commitOf, mergeBase } from "../../lanes/git/commits.ts";
import type { Git } from "../../lanes/git/git.ts";
import { worktreeTree } from "../../lanes/git/snapshot.ts";

/** The current state of a lane, including uncommitted changes. */
export type LaneState = {
  lane: Lane;
  /** A commit with the whole content of the lane: its HEAD, or a hidden child of it. */
  tip: string;
  /** The current tip of the base; absent if the lane has none. */
  base?: string;
  /** Paths that the lane changed since its base, and paths that the base changed. A rename counts as two paths. */
  files: string[];
  baseFiles: string[];
};

type CachedTip = { fingerprint: string; tip: string };

/** A fixed date gives the same commit for the same files, so that cached trials stay valid. */
const TIMELESS = {
  GIT_AUTHOR_NAME: "Gantry",
  GIT_AUTHOR_EMAIL: "gantry@localhost",
  GIT_AUTHOR_DATE: "1700000000 +0000",
  GIT_COMMITTER_NAME: "Gantry",
  GIT_COMMITTER_EMAIL: "gantry@localhost",
  GIT_COMMITTER_DATE: "1700000000 +0000",
};

/** Reads the state of lanes. Reads a lane's files again only after a change. */
export class LaneStates {
  readonly #git: Git;
  readonly #tips = new Map<string, CachedTip>();
  readonly #files = new Map<string, [string[], string[]]>();

  constructor(git: Git) {
    this.#git = git;
  }

  /** `undefined` for a lane without a commit or with a missing folder. */
  async of(lane: Lane): Promise<LaneState | undefined> {
    const tip = await this.#tip(lane);
    if (!tip) return undefined;
    const base = await this.#base(lane);
    if (!base) return { lane, tip, files: [], baseFiles: [] };
    const [files, baseFiles] = await this.#changedFiles(lane.repository, base, tip);
    return { lane, tip, base, files, baseFiles };
  }

  async #tip({ id, path, repository }: Lane): Promise<string | undefined> {
    const { out } = await this.#git.read(path, ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"]);
    const head = /# branch\.oid ([0-9a-f]{40,})/.exec(out)?.[1];
    if (!head) return undefined;
    const changed = changedPaths(out);
    if (changed.length === 0) return head;
    const fingerprint = [out, ...changed.map((file) => statFingerprint(join(path, file)))].join("\0");
    const known = this.#tips.get(id);
    if (known?.fingerprint === fingerprint) return known.tip;
    const tree = await worktreeTree(this.#git, path);
    const args = ["commit-tree", "--no-gpg-sign", "-p", head, tree];
    const tip = (await this.#git.write(repository, args, { input: "lane", env: TIMELESS })).out.trim();
    this.#tips.set(id, { fingerprint, tip });
    return tip;
  }

  async #base({ repository, base }: Lane): Promise<string | undefined> {
    if (!base) return undefined;
    return (base.ref && (await commitOf(this.#git, repository, base.ref))) || base.commit;
  }

  async #changedFiles(repository: string, base: string, tip: string): Promise<[string[], string[]]> {
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
function statFingerprint(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.mtimeNs}:${stat.ctimeNs}:${stat.size}:${stat.ino}` : "-";
}
