import type { AffectedLane, FileChange, Lane } from "@gantry/protocol";
import type { LaneService } from "../lanes/port.ts";
import type { ConflictCheck } from "./conflicts/conflict-check.ts";
import { shortHash } from "./merge/advance.ts";
import { listFirst } from "./merge/refusal.ts";
import type { LandingSessions } from "./port.ts";

export type NotifyDeps = {
  lanes: Pick<LaneService, "list">;
  conflictCheck: ConflictCheck;
  sessions: LandingSessions;
  log: (line: string) => void;
};

export type BaseMove = {
  /** Part of the notices' keys, so that each is published once. */
  key: string;
  lane: string;
  name: string;
  repository: string;
  into: string;
  from: string;
  to: string;
  files: readonly FileChange[];
  tellAgents: boolean;
};

/**
 * Publishes a notice to the sessions of every other lane on the branch and, if `tellAgents`, queues a message to their
 * agents. Failures for single lanes are logged: the landing has already happened.
 */
export async function notifyOtherLanes(deps: NotifyDeps, moved: BaseMove): Promise<AffectedLane[]> {
  const { lanes } = await deps.lanes.list({ repository: moved.repository });
  const others = lanes.filter(
    ({ id, base, branch, kind }) =>
      id !== moved.lane && (base?.ref === moved.into || (kind === "primary" && branch === moved.into)),
  );
  const notified: AffectedLane[] = [];
  for (const lane of others) {
    const row = await notifyLane(deps, moved, lane).catch((error) => deps.log(`${lane.id}: ${error.message}`));
    if (row) notified.push(row);
  }
  return notified;
}

async function notifyLane(
  { conflictCheck, sessions, log }: NotifyDeps,
  moved: BaseMove,
  lane: Lane,
): Promise<AffectedLane | undefined> {
  const here = lane.kind === "primary";
  const laneState = here ? undefined : await conflictCheck.stateOf(lane);
  const conflict = laneState && (await conflictCheck.withBase(laneState));
  const paths = new Set(moved.files.flatMap(({ path, to }) => (to ? [path, to] : [path])));
  const shared = laneState?.files.filter((path) => paths.has(path)) ?? [];
  const text = noticeText(moved, { here, shared, conflicts: conflict?.files ?? [] });
  const severity = conflict?.state === "conflict" ? "warning" : "info";
  const reached = lane.sessions.filter((session) => {
    try {
      sessions.notice(session, { kind: "base_moved", severity, text }, `${moved.key}:${session}`);
      if (moved.tellAgents) sessions.send(session, { id: messageId(moved.key, session), text, delivery: "queue" });
      return true;
    } catch (error) {
      log(`${session}: ${(error as Error).message}`);
      return false;
    }
  });
  if (!conflict) return undefined;
  const { state, files } = conflict;
  return { lane: lane.id, name: lane.name, shared, state, conflicts: files, sessions: reached };
}

function noticeText(moved: BaseMove, to: { here: boolean; shared: string[]; conflicts: string[] }): string {
  const { into, from, to: tip, name, files } = moved;
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const head = `${into} moved from ${shortHash(from)} to ${shortHash(tip)} because ${name} landed: ${count}`;
  if (to.here) return `${head} changed in this folder (${listFirst(files.map(({ path }) => path))}).`;
  const shared = to.shared.length > 0 ? ` This lane also changed ${listFirst(to.shared)}.` : "";
  const conflicts =
    to.conflicts.length > 0 ? ` It now conflicts in ${listFirst(to.conflicts)}.` : " It still merges cleanly.";
  return `${head}.${shared}${conflicts}`;
}

/** One id per landing and session, so that a retry sends no duplicate. */
function messageId(key: string, session: string): string {
  return `msg_${key.replace(/^job_/, "")}_${session.replace(/^ses_/, "")}`.slice(0, 200);
}
