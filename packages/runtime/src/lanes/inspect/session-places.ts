import type { LaneRecord } from "../port.ts";
import { isInside } from "../records.ts";

/** The folder of a session, and whether it has a turn. */
export type SessionPlace = { id: string; cwd: string; lane?: string; busy: boolean; updatedAt: string };

/** The sessions of a lane: those started in it, and those whose folder is in it and in no nested lane. */
export function sessionsIn(
  lane: { id: string; path: string },
  others: readonly LaneRecord[],
  places: readonly SessionPlace[],
): SessionPlace[] {
  const within = others.filter(({ id, path }) => id !== lane.id && isInside(path, lane.path));
  return places.filter(({ lane: bound, cwd }) => {
    if (bound !== undefined) return bound === lane.id;
    return isInside(cwd, lane.path) && !within.some(({ path }) => isInside(cwd, path));
  });
}
