import type { Client } from "@gantry/client";
import type { Lane } from "@gantry/protocol";
import { pick } from "../../arguments/resolve.ts";
import { usageError } from "../../program/errors.ts";

/**
 * Resolves a lane by id, part of one, or name; lanes of this folder's repository win. Throws a usage error for none or
 * several.
 */
export async function resolveLane(client: Client, name: string, cwd = process.cwd()): Promise<Lane> {
  if (/^lan_.{20,}$/.test(name)) return client.lanes.get(name);
  const here = await lanesAt(client, cwd);
  const found = findLane(name, here);
  if (found) return found;
  const { lanes } = await client.lanes.list({ archived: "all" });
  return pick("lane", name, lanes.map(addTitle), "gantry lanes");
}

/** The lane of this very id or name, or one whose id ends so. */
export function findLane(name: string, lanes: readonly Lane[]): Lane | undefined {
  const wanted = name.toLowerCase();
  const exact = lanes.find((lane) => lane.id === name || lane.name.toLowerCase() === wanted);
  const byEnd = lanes.filter((lane) => wanted.length >= 4 && lane.id.endsWith(wanted));
  return exact ?? (byEnd.length === 1 ? byEnd[0] : undefined);
}

/** The lanes of a folder's repository; the primary one is not among what a person can name. */
export async function lanesAt(client: Client, cwd: string): Promise<Lane[]> {
  const { lanes } = await client.lanes.list({ cwd, archived: "all" });
  return lanes.filter(({ kind }) => kind !== "primary");
}

function addTitle(lane: Lane): Lane & { title: string } {
  return { ...lane, title: lane.name };
}

export function requireMade(lane: Lane, what: string): Lane {
  if (lane.kind !== "primary") return lane;
  throw usageError(`The primary lane cannot be ${what}: it is the repository itself.`);
}
