import type { LaneRecord } from "../port.ts";
import { isInside } from "../records.ts";

/** Where a session works, and whether it is at work. */
export type SessionPlace = { id: string; cwd: string; lane?: string; busy: boolean; updatedAt: string };

/** The sessions of a lane: those that were begun in it, and those whose folder lies in it and in no lane within. */
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
