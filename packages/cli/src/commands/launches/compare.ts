import { resolve } from "node:path";
import type { Client } from "@gantry/client";
import type { Comparison } from "@gantry/protocol";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { resolveLane } from "../lanes/resolve-lane.ts";
import { resolveLaunch } from "./launches.ts";
import { comparisonLines } from "./render.ts";

export type CompareFlags = { patch: boolean; cwd?: string };

/** Puts the lanes of a launch side by side, or any lanes. */
export default async function compare(this: Context, flags: CompareFlags, ...names: string[]): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const comparison = await read(client, names, flags);
  if (output.json) return output.data(comparison);
  output.print(comparisonLines(comparison, { paint: output.paint, width: output.width?.() }, flags.patch));
}

/** One name is a launch, unless it is a lane's id; several are lanes. */
async function read(client: Client, names: string[], { patch, cwd }: CompareFlags): Promise<Comparison> {
  const [only] = names;
  if (names.length > 1 || only?.startsWith("lan_")) {
    const lanes = await Promise.all(names.map((name) => resolveLane(client, name, resolve(cwd ?? "."))));
    return client.compare(
      lanes.map(({ id }) => id),
      { patch },
    );
  }
  return client.launches.compare((await resolveLaunch(client, only ?? "last")).id, patch);
}
