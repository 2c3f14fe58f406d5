import type { Client } from "@gantry/client";
import type { Lane } from "@gantry/protocol";
import { homePath } from "@gantry/terminal";
import type { Context } from "../../program/context.ts";
import { followSetup, isSetupOpen, setupEnd } from "./follow-setup.ts";
import { findLane, lanesAt } from "./resolve-lane.ts";

/** The lane of this name in the repository of a folder. Creates it if there is none, and prints that. */
export async function laneForRun({ output }: Context, client: Client, name: string, cwd: string): Promise<Lane> {
  const known = findLane(name, await lanesAt(client, cwd));
  if (known) return known;
  const lane = await client.lanes.create({ cwd, name });
  const from = lane.base?.ref ?? lane.base?.commit.slice(0, 8) ?? "HEAD";
  if (!output.json) output.note(`Created the lane ${lane.name} from ${from}: ${lane.branch} in ${homePath(lane.path)}`);
  for (const notice of lane.notices) output.note(notice);
  if (isSetupOpen(lane)) output.note(setupEnd(await followSetup(client, lane.id, output), lane));
  return lane;
}
