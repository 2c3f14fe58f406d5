import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Lane } from "@gantry/protocol";
import type { Repository } from "../git/repository.ts";
import type { Facts } from "./facts.ts";
import { workOf } from "./present.ts";

/** The primary lane of a repository, or of a plain folder, has no record: it is there as long as its folder is. */
export function primaryId(place: string): string {
  return `lan_primary_${createHash("sha256").update(place).digest("hex").slice(0, 16)}`;
}

type Around = { sessions: string[]; refresh?: boolean };

/** Never throws: what git cannot say is told under `missing`. */
export async function presentPrimary(facts: Facts, repository: Repository, around: Around): Promise<Lane> {
  const { primary, commonDir, bare } = repository;
  const lane = empty(primaryId(commonDir), primary, around.sessions);
  if (bare) return { ...lane, missing: [BARE] };
  try {
    const [status, tips, worktrees] = await Promise.all([
      facts.status(primary, around.refresh),
      facts.tips(primary),
      facts.worktrees(primary),
    ]);
    const known = { ...lane, ...workOf(status), ...(status.branch ? { branch: status.branch } : {}) };
    const locked = worktrees[0]?.locked;
    if (locked !== undefined) known.locked = locked;
    if (!status.head) return { ...known, missing: [UNBORN] };
    const upstream = status.upstream && tips.get(`refs/remotes/${status.upstream}`);
    const head = { ...known, head: status.head };
    if (!upstream) return head;
    const distance = await facts.distance(primary, status.head, upstream);
    return { ...head, base: { ref: status.upstream, commit: upstream }, ...distance, unpushed: distance.ahead };
  } catch (error) {
    return { ...lane, missing: [(error as Error).message] };
  }
}

/** A folder that is in no repository. */
export function presentPlain(folder: string, sessions: string[]): Lane {
  return { ...empty(primaryId(folder), folder, sessions), missing: [PLAIN] };
}

const PLAIN =
  "This folder is not in a git repository: sessions work in it, but there are no lanes, no diffs of turns and nothing to go back to. `git init` and a first commit change that.";
const UNBORN =
  "The repository has no commit yet, so no lane can be begun from it. Make a first one: git add -A && git commit";
const BARE = "The repository is bare: it has no files of its own to work on. Its lanes have.";

function empty(id: string, path: string, sessions: string[]): Lane {
  return {
    id,
    name: basename(path) || path,
    kind: "primary",
    repository: path,
    path,
    state: "ready",
    dirty: false,
    changes: 0,
    ahead: 0,
    behind: 0,
    unpushed: 0,
    sessions,
    setup: { state: "none" },
    missing: [],
    notices: [],
  };
}
