import type { Lane, LaneSuggestion } from "@gantry/protocol";

/** How a lane stands to its base, in a few words; nothing where there is nothing to tell. */
export function standing({ base, ahead, behind }: Lane): string | undefined {
  if (!base) return undefined;
  const of = base.ref ?? base.commit.slice(0, 8);
  if (ahead > 0 && behind > 0) return `${ahead} ahead, ${behind} behind ${of}`;
  if (ahead > 0) return `${ahead} ahead of ${of}`;
  return behind > 0 ? `${behind} behind ${of}` : `level with ${of}`;
}

/** What is in the work tree and in no commit. */
export function uncommitted({ changes }: Lane): string | undefined {
  if (changes === 0) return undefined;
  return changes === 1 ? "1 file not committed" : `${changes} files not committed`;
}

/** What would go with a lane that is removed; empty where nothing would. */
export function atStake(lane: Lane): string[] {
  const { unpushed, locked } = lane;
  const running = lane.sessions.length;
  return [
    uncommitted(lane),
    unpushed > 0 ? `${unpushed} ${unpushed === 1 ? "commit" : "commits"} that nobody else has` : undefined,
    locked === undefined ? undefined : `git was told to keep it${locked ? `: ${locked}` : ""}`,
    running > 0 ? `${running} ${running === 1 ? "session works" : "sessions work"} there` : undefined,
  ].filter((part): part is string => part !== undefined);
}

/** The lanes of each repository, in the order in which they came. */
export function byRepository(lanes: readonly Lane[]): { repository: string; lanes: Lane[] }[] {
  const groups = Map.groupBy(lanes, (lane) => lane.repository);
  return [...groups].map(([repository, own]) => ({ repository, lanes: own }));
}

/** What could be won by clearing up. */
export function freeable(suggestions: readonly LaneSuggestion[]): number {
  return suggestions.reduce((sum, { lane }) => sum + (lane.disk ?? 0), 0);
}

/** The last part of a path: what people call a folder. */
export function folderName(path: string): string {
  return path.split("/").filter(Boolean).at(-1) ?? path;
}
