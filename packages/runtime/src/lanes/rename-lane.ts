import { GantryError } from "@gantry/protocol";
import { nameTaken } from "./create/choose.ts";
import { commitOf, headOf, tipsOf } from "./git/commits.ts";
import type { Git } from "./git/git.ts";
import { freeName, slugOf } from "./names.ts";
import type { LaneRecord, NamedBy } from "./port.ts";
import type { LaneRecords } from "./records.ts";

/**
 * Renames a lane. Renames its branch too if Gantry created it, it is checked out in the lane and no remote has it. The
 * path stays, because processes run in it. Throws `conflict` for a name that another lane has.
 */
export async function renameLane(
  git: Git,
  records: LaneRecords,
  lane: LaneRecord,
  name: string,
  namedBy: NamedBy,
  prefix: string,
): Promise<void> {
  const others = records.ofRepository(lane.commonDir).filter(({ id }) => id !== lane.id);
  if (others.some((one) => one.name.toLowerCase() === name.toLowerCase())) throw nameTaken(name);
  const branch = await renameBranch(git, lane, `${prefix}${slugOf(name)}`);
  const current = records.get(lane.id);
  if (!current) throw new GantryError("no_such_lane", `There is no lane ${lane.id}.`);
  records.put({ ...current, name, namedBy, ...(branch === undefined ? {} : { branch }) });
}

async function renameBranch(git: Git, lane: LaneRecord, target: string): Promise<string | undefined> {
  const { repository, path, branch, ownBranch } = lane;
  if (branch === undefined || !ownBranch || branch === target || (await headOf(git, path)).branch !== branch)
    return branch;
  const tips = await tipsOf(git, repository);
  const pushed = [...tips.keys()].some((ref) => ref.startsWith("refs/remotes/") && ref.endsWith(`/${branch}`));
  const upstream = await git.line(repository, ["config", "--get", `branch.${branch}.remote`]);
  if (pushed || upstream !== undefined) return branch;
  const next = freeName(target, (one) => tips.has(`refs/heads/${one}`));
  await git.write(repository, ["branch", "-m", "--", branch, next]);
  return (await commitOf(git, repository, `refs/heads/${next}`)) === undefined ? branch : next;
}
