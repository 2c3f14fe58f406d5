import { existsSync } from "node:fs";
import { GantryError } from "@gantry/protocol";
import { sessionFolder } from "../session/folders.ts";
import type { Lanes } from "./lanes.ts";
import type { LaneRecord } from "./port.ts";

/** Where a session works: a folder, and the lane that it belongs to. */
export type Place = { cwd: string; lane?: string };

/**
 * The place of a new session: a lane by id or name (`cwd` selects the repository), or a folder, which may be inside a
 * lane. Throws `no_such_lane`, `conflict`, `lane_gone`, `invalid`.
 */
export async function placeSession(lanes: Lanes, { cwd, lane }: { cwd?: string; lane?: string }): Promise<Place> {
  if (lane === undefined) {
    const folder = sessionFolder({ cwd });
    const around = lanes.at(folder);
    return around && isOpen(around) ? { cwd: folder, lane: around.id } : { cwd: folder };
  }
  if (lane.startsWith("lan_primary_")) return { cwd: sessionFolder({ cwd: (await lanes.get(lane)).path }) };
  const found = await lanes.waitForUsable((await lanes.find(lane, cwd)).id);
  requireFolder(found);
  return { cwd: found.path, lane: found.id };
}

/** Called before a process starts. Never falls back to another folder. Throws `lane_gone`. */
export function requirePlace(lanes: Lanes, { lane }: { lane?: string }): void {
  if (lane === undefined) return;
  const record = lanes.record(lane);
  if (record) return requireFolder(record);
  throw new GantryError("lane_gone", `The lane ${lane} of this session was removed.`, {
    remedy: `The session and its history are intact. \`gantry lanes undo ${lane}\` restores the lane.`,
  });
}

function requireFolder({ id, name, path, state }: LaneRecord): void {
  if (state === "removing") throw new GantryError("lane_gone", `The lane ${name} is being removed.`);
  if (existsSync(path)) return;
  throw new GantryError("lane_gone", `The folder of the lane ${name} no longer exists: ${path}.`, {
    remedy: `\`gantry lanes undo ${id}\` recreates it from its branch.`,
  });
}

function isOpen({ state }: LaneRecord): boolean {
  return state === "ready" || state === "archived";
}
