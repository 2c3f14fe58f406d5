import type { LaneRecord } from "../port.ts";

/** Other lanes that the text lists; it starts every conversation, so it must stay short. */
const MOST_SIBLINGS = 20;

/**
 * What an agent in a lane must know: its work tree and branch, and what belongs to others. It is part of the instructions of
 * every session in the lane. Names come from people and models, so they are one line each. Pure.
 */
export function laneInstructions(lane: LaneRecord, siblings: readonly LaneRecord[]): string {
  const { id, name, branch, base, path, repository } = lane;
  const baseText = base.ref ? `${base.ref}, at commit ${base.commit}` : `commit ${base.commit}`;
  const others = siblings.slice(0, MOST_SIBLINGS).map((one) => `- ${oneLine(one.name)}: ${oneLine(one.path)}`);
  const more = siblings.length - others.length;
  return [
    "You work in a lane: a separate git worktree for one task. Other agents work in other lanes of the same repository at the same time.",
    `- Lane: ${oneLine(name)} (${id})`,
    `- Branch of this lane: ${branch ?? "none, HEAD is detached"}`,
    `- Base branch: ${baseText}`,
    `- This worktree: ${oneLine(path)}`,
    `- Main checkout: ${oneLine(repository)}`,
    others.length > 0 ? "Other lanes when this process started:" : "There was no other lane when this process started.",
    ...others,
    ...(more > 0 ? [`- and ${more} more`] : []),
    `Work only in ${oneLine(path)}. Do not change the main checkout, other lanes or their branches.`,
    `A person lands the lane: Gantry then merges the commits of this branch, and changes that are not committed, into ${base.ref ?? "the base branch"}. Do not merge or push into the base branch yourself unless you are asked to.`,
  ].join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
