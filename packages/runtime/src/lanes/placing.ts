import { existsSync } from "node:fs";
import { GantryError } from "@gantry/protocol";
import { sessionFolder } from "../session/folders.ts";
import type { Lanes } from "./lanes.ts";
import type { LaneRecord } from "./port.ts";

/** Where a session works: a folder, and the lane that it belongs to. */
export type Place = { cwd: string; lane?: string };

/**
 * The place of a new session: the lane that is named by id or name (`cwd` then says of which repository), else a folder,
 * which may lie in a lane. Throws `no_such_lane`, `conflict`, `lane_gone`, `invalid`.
 */
export async function placeSession(lanes: Lanes, { cwd, lane }: { cwd?: string; lane?: string }): Promise<Place> {
  if (lane === undefined) {
    const folder = sessionFolder({ cwd });
    const around = lanes.at(folder);
    return around && isOpen(around) ? { cwd: folder, lane: around.id } : { cwd: folder };
  }
  if (lane.startsWith("lan_primary_")) return { cwd: sessionFolder({ cwd: (await lanes.get(lane)).path }) };
  const found = await lanes.usable((await lanes.find(lane, cwd)).id);
  requireThere(found);
  return { cwd: found.path, lane: found.id };
}

/** Before a process is started: its lane must be there. Another folder is never taken instead. Throws `lane_gone`. */
export function requirePlace(lanes: Lanes, { lane }: { lane?: string }): void {
  if (lane === undefined) return;
  const record = lanes.record(lane);
  if (record) return requireThere(record);
  throw new GantryError("lane_gone", `The lane ${lane} in which this session works was removed.`, {
    remedy: `\`gantry lanes undo ${lane}\` brings it back. The session and all that was said in it are kept.`,
  });
}

function requireThere({ id, name, path, state }: LaneRecord): void {
  if (state === "removing") throw new GantryError("lane_gone", `The lane ${name} is being removed.`);
  if (existsSync(path)) return;
  throw new GantryError("lane_gone", `The folder of the lane ${name} is gone: ${path}.`, {
    remedy: `\`gantry lanes undo ${id}\` makes it again from its branch.`,
  });
}

function isOpen({ state }: LaneRecord): boolean {
  return state === "ready" || state === "archived";
}
