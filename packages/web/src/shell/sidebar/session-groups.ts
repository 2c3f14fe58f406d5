import type { SessionView } from "@gantry/protocol";

export type SessionGroup = { folder: string; name: string; sessions: SessionView[] };

/**
 * Sessions by folder: those that need someone, then what was at work last. The order changes when a turn begins, asks
 * or ends, not with every event: a list that one reaches into must not move.
 */
export function groupByFolder(sessions: readonly SessionView[]): SessionGroup[] {
  const sorted = [...sessions].sort(
    (a, b) => Number(b.inputs.length > 0) - Number(a.inputs.length > 0) || touched(b).localeCompare(touched(a)),
  );
  const groups = Map.groupBy(sorted, (session) => session.cwd);
  return [...groups].map(([folder, inside]) => ({ folder, name: lastPart(folder), sessions: inside }));
}

function touched({ turn, lastTurn, createdAt }: SessionView): string {
  return turn?.startedAt ?? lastTurn?.endedAt ?? createdAt;
}

function lastPart(folder: string): string {
  return folder.split("/").filter(Boolean).at(-1) ?? folder;
}
