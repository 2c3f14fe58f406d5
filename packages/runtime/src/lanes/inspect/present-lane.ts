import { existsSync } from "node:fs";
import type { Lane, LaneBase } from "@gantry/protocol";
import type { Tips } from "../git/commits.ts";
import type { Status } from "../git/status.ts";
import { isLinkedTo, type Worktree } from "../git/worktrees.ts";
import type { LaneRecord } from "../port.ts";
import type { GitFacts } from "./git-facts.ts";

/** GitFacts about a lane that are not in its record. */
export type LaneContext = { sessions: string[]; disk?: number; refresh?: boolean };

/** A lane with git's current facts. Never throws: facts that git cannot give are explained in `missing`. */
export async function presentLane(facts: GitFacts, record: LaneRecord, context: LaneContext): Promise<Lane> {
  const { id, name, kind, repository, path, base, state, ports, setup, notices, createdAt } = record;
  const known = {
    id,
    name,
    kind,
    repository,
    path,
    base,
    state,
    setup,
    notices,
    createdAt,
    sessions: context.sessions,
  };
  const lane: Lane = { ...known, ...clean, missing: record.error ? [record.error.message] : [] };
  if (ports) lane.ports = ports;
  if (context.disk !== undefined) lane.disk = context.disk;
  if (record.branch !== undefined) lane.branch = record.branch;
  if (state === "creating" || state === "failed") return lane;
  if (!existsSync(path))
    return {
      ...lane,
      state: state === "removing" ? state : "failed",
      missing: [...lane.missing, folderMissing(record)],
    };
  if (!isLinkedTo(path, record.commonDir))
    return { ...lane, state: "failed", missing: [...lane.missing, notAWorktree(record)] };
  try {
    return { ...lane, ...(await readFacts(facts, record, context.refresh ?? false)) };
  } catch (error) {
    return { ...lane, missing: [...lane.missing, (error as Error).message] };
  }
}

const clean = { dirty: false, changes: 0, ahead: 0, behind: 0, unpushed: 0 };

async function readFacts(facts: GitFacts, record: LaneRecord, refresh: boolean): Promise<Partial<Lane>> {
  const { repository, path, base } = record;
  const [status, worktrees, tips] = await Promise.all([
    facts.status(path, refresh),
    facts.worktrees(repository),
    facts.tips(repository),
  ]);
  const tree = worktrees.find((one) => one.path === path);
  const known: Partial<Lane> = { ...workOf(status), branch: status.branch, ...lockOf(tree) };
  if (!status.head) return known;
  const tip = tipOf(base, tips);
  const [distance, only] = await Promise.all([
    facts.distance(repository, status.head, tip),
    facts.countUnpushed(repository, status.head, [...new Set([tip, base.commit])], tips),
  ]);
  return { ...known, head: status.head, ...distance, unpushed: only };
}

/** The current tip of the base, whose branch may have moved. */
export function tipOf({ ref, commit }: LaneBase, tips: Tips): string {
  if (ref === undefined) return commit;
  return tips.get(`refs/heads/${ref}`) ?? tips.get(`refs/remotes/${ref}`) ?? commit;
}

export function workOf({ changed, untracked }: Status): Pick<Lane, "dirty" | "changes"> {
  return { dirty: changed + untracked > 0, changes: changed + untracked };
}

function lockOf(tree: Worktree | undefined): Pick<Lane, "locked"> {
  return tree?.locked === undefined ? {} : { locked: tree.locked };
}

function notAWorktree({ path, repository }: LaneRecord): string {
  return `${path} is no longer a worktree of ${repository}. \`git worktree repair\` may help.`;
}

function folderMissing({ id, path }: LaneRecord): string {
  return `Its folder ${path} is missing. \`gantry lanes undo ${id}\` recreates it from its branch; \`gantry lanes rm ${id}\` removes the lane.`;
}
