import type { FileChange, Lane, ToldLane } from "@gantry/protocol";
import type { LaneService } from "../lanes/port.ts";
import { short } from "./merging/advance.ts";
import { listed } from "./merging/refusal.ts";
import type { LandingSessions } from "./port.ts";
import type { Radar } from "./radar/radar.ts";

export type Telling = {
  lanes: Pick<LaneService, "list">;
  radar: Radar;
  sessions: LandingSessions;
  log: (line: string) => void;
};

export type Moved = {
  /** Names the notices, so that each is given once. */
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
 * Tells every other lane that stands on a branch what moved under it, in its sessions' logs and, if wished, its agents.
 * Never throws: what is landed is landed, whoever could not be told.
 */
export async function tellOthers(telling: Telling, moved: Moved): Promise<ToldLane[]> {
  const { lanes } = await telling.lanes.list({ repository: moved.repository });
  const others = lanes.filter(
    ({ id, base, branch, kind }) =>
      id !== moved.lane && (base?.ref === moved.into || (kind === "primary" && branch === moved.into)),
  );
  const told: ToldLane[] = [];
  for (const lane of others) {
    const row = await tellLane(telling, moved, lane).catch((error) => telling.log(`${lane.id}: ${error.message}`));
    if (row) told.push(row);
  }
  return told;
}

async function tellLane({ radar, sessions, log }: Telling, moved: Moved, lane: Lane): Promise<ToldLane | undefined> {
  const here = lane.kind === "primary";
  const standing = here ? undefined : await radar.standing(lane);
  const conflict = standing && (await radar.withBase(standing));
  const paths = new Set(moved.files.flatMap(({ path, to }) => (to ? [path, to] : [path])));
  const shared = standing?.files.filter((path) => paths.has(path)) ?? [];
  const text = wordsFor(moved, { here, shared, conflicts: conflict?.files ?? [] });
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

function wordsFor(moved: Moved, to: { here: boolean; shared: string[]; conflicts: string[] }): string {
  const { into, from, to: tip, name, files } = moved;
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const head = `${into} moved from ${short(from)} to ${short(tip)}, as ${name} landed: ${count}`;
  if (to.here) return `${head} changed in this folder (${listed(files.map(({ path }) => path))}).`;
  const shared = to.shared.length > 0 ? ` Of these this lane also changed ${listed(to.shared)}.` : "";
  const conflicts = to.conflicts.length > 0 ? ` It now conflicts in ${listed(to.conflicts)}.` : " It still merges.";
  return `${head}.${shared}${conflicts}`;
}

/** One for each landing and session, so that a message is sent once. */
function messageId(key: string, session: string): string {
  return `msg_${key.replace(/^job_/, "")}_${session.replace(/^ses_/, "")}`.slice(0, 200);
}
