import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Lane } from "@gantry/protocol";
import type { Repository } from "../git/repository.ts";
import type { GitFacts } from "./git-facts.ts";
import { type LaneContext, workOf } from "./present-lane.ts";

/** The primary lane of a repository or plain folder has no record. It exists as long as its folder does. */
export function primaryId(place: string): string {
  return `lan_primary_${createHash("sha256").update(place).digest("hex").slice(0, 16)}`;
}

/** Never throws: facts that git cannot give are explained in `missing`. */
export async function presentPrimary(facts: GitFacts, repository: Repository, context: LaneContext): Promise<Lane> {
  const { primary, commonDir, bare } = repository;
  const lane = emptyLane(primaryId(commonDir), primary, context.sessions);
  if (bare) return { ...lane, missing: [BARE] };
  try {
    const [status, tips, worktrees] = await Promise.all([
      facts.status(primary, context.refresh),
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

/** A folder outside any repository. */
export function presentPlain(folder: string, sessions: string[]): Lane {
  return { ...emptyLane(primaryId(folder), folder, sessions), missing: [PLAIN] };
}

const PLAIN =
  "This folder is not in a git repository. Sessions can work in it, but there are no lanes, no diffs of turns and no checkpoints. To enable them, run `git init` and create a first commit.";
const UNBORN =
  "The repository has no commit yet, so no lane can start from it. Create a first commit: git add -A && git commit";
const BARE = "The repository is bare, so it has no files to work on. Create a lane to work in.";

function emptyLane(id: string, path: string, sessions: string[]): Lane {
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
