import type { SessionView } from "@gantry/protocol";

export type SessionGroup = { folder: string; name: string; sessions: SessionView[] };

/**
 * Groups sessions by folder: sessions with a pending input first, then by last activity. The order changes when a turn
 * starts, asks or ends, but not with every event, so that the list does not move under the pointer.
 */
export function groupByFolder(sessions: readonly SessionView[]): SessionGroup[] {
  const sorted = [...sessions].sort(
    (a, b) =>
      Number(b.inputs.length > 0) - Number(a.inputs.length > 0) || lastActivity(b).localeCompare(lastActivity(a)),
  );
  const groups = Map.groupBy(sorted, (session) => session.cwd);
  return [...groups].map(([folder, inside]) => ({ folder, name: lastPart(folder), sessions: inside }));
}

function lastActivity({ turn, lastTurn, createdAt }: SessionView): string {
  return turn?.startedAt ?? lastTurn?.endedAt ?? createdAt;
}

function lastPart(folder: string): string {
  return folder.split("/").filter(Boolean).at(-1) ?? folder;
}
