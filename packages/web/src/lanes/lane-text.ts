import type { Lane, LaneSuggestion } from "@gantry/protocol";

/** How far a lane is from its base; `undefined` if it has none. */
export function baseStatus({ base, ahead, behind }: Lane): string | undefined {
  if (!base) return undefined;
  const of = base.ref ?? base.commit.slice(0, 8);
  if (ahead > 0 && behind > 0) return `${ahead} ahead, ${behind} behind ${of}`;
  if (ahead > 0) return `${ahead} ahead of ${of}`;
  return behind > 0 ? `${behind} behind ${of}` : `up to date with ${of}`;
}

/** The uncommitted changes of a lane; `undefined` if there are none. */
export function describeUncommitted({ changes }: Lane): string | undefined {
  if (changes === 0) return undefined;
  return changes === 1 ? "1 uncommitted file" : `${changes} uncommitted files`;
}

/** What the removal of a lane would lose; empty if nothing. */
export function removalLosses(lane: Lane): string[] {
  const { unpushed, locked } = lane;
  const running = lane.sessions.length;
  return [
    describeUncommitted(lane),
    unpushed > 0 ? `${unpushed} ${unpushed === 1 ? "commit" : "commits"} found nowhere else` : undefined,
    locked === undefined ? undefined : `locked in git${locked ? `: ${locked}` : ""}`,
    running > 0 ? `used by ${running} ${running === 1 ? "session" : "sessions"}` : undefined,
  ].filter((part): part is string => part !== undefined);
}

/** Groups lanes by repository, keeping their order. */
export function byRepository(lanes: readonly Lane[]): { repository: string; lanes: Lane[] }[] {
  const groups = Map.groupBy(lanes, (lane) => lane.repository);
  return [...groups].map(([repository, own]) => ({ repository, lanes: own }));
}

/** The disk space that removing these lanes would free. */
export function freeableBytes(suggestions: readonly LaneSuggestion[]): number {
  return suggestions.reduce((sum, { lane }) => sum + (lane.disk ?? 0), 0);
}

/** The last part of a path. */
export function folderName(path: string): string {
  return path.split("/").filter(Boolean).at(-1) ?? path;
}
