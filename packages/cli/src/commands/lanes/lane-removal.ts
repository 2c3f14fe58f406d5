import type { Client } from "@gantry/client";
import type { LaneSuggestion } from "@gantry/protocol";
import { confirm, formatBytes, pluralize } from "@gantry/terminal";
import { pick } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { laneLines } from "./render.ts";
import { requireMade, resolveLane } from "./resolve-lane.ts";

export type RemoveFlags = { force: boolean };

/** Removes lanes. A lane that holds work needs --force; an undo ref then stores the work. */
export async function remove(this: Context, flags: RemoveFlags, ...names: string[]): Promise<void> {
  const client = await connect(this);
  for (const name of names) {
    const lane = requireMade(await resolveLane(client, name), "removed");
    await removeOne(this, client, lane, flags.force);
  }
}

async function removeOne(
  { output }: Context,
  client: Client,
  lane: { id: string; name: string },
  force: boolean,
): Promise<void> {
  const removed = await client.lanes.remove(lane.id, force);
  if (output.json) return output.data({ lane: lane.id, ...removed });
  output.print(`removed ${lane.name}`);
  for (const notice of removed.notices) output.print(output.paint.dim(notice));
}

/** Restores a removed lane; without a name, lists those that can be restored. */
export async function undo(this: Context, flags: { ref?: string }, name?: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  if (name === undefined) return listUndos(this, client);
  const lane = await client.lanes.undo(await findRemovedLane(client, name), flags.ref);
  if (output.json) return output.data(lane);
  output.print(laneLines(lane, output.paint));
}

async function listUndos({ output }: Context, client: Client): Promise<void> {
  const undos = await client.lanes.undos();
  if (output.json) return output.data({ undos });
  if (undos.length === 0) return output.print("No removed lane can be restored.");
  for (const one of undos) {
    output.print(
      `${one.name}  ${output.paint.dim(`removed ${one.removedAt}, stored as ${one.ref} of ${one.repository}`)}`,
    );
    output.print(output.paint.dim(`  gantry lanes undo ${one.lane}`));
  }
}

/** A removed lane by id or name; else one whose folder is gone, which Gantry still lists. */
async function findRemovedLane(client: Client, name: string): Promise<string> {
  if (/^lan_.{20,}$/.test(name)) return name;
  const newest = new Map(
    (await client.lanes.undos()).reverse().map((one) => [one.lane, { ...one, id: one.lane, title: one.name }]),
  );
  const { lanes } = await client.lanes.list({ archived: "all" });
  const gone = lanes.filter(({ state }) => state === "failed").map(({ id, name: title }) => ({ id, title }));
  return pick("removed lane", name, [...newest.values(), ...gone], "gantry lanes undo").id;
}

export type CleanFlags = { yes: boolean; all: boolean };

/** Lists lanes that can be removed, with reasons, and after a confirmation removes those without unmerged work. */
export async function clean(this: Context, flags: CleanFlags): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const suggestions = await client.lanes.suggestions(flags.all ? undefined : process.cwd());
  if (output.json && !flags.yes) return output.data({ suggestions });
  if (suggestions.length === 0) return output.print("No lane needs to be removed.");
  if (!output.json) for (const one of suggestions) output.print(suggestionLines(one, output.paint.dim));
  const safe = suggestions.filter((one) => one.safe);
  if (safe.length === 0) return;
  if (!flags.yes && !output.interactive) {
    throw usageError(
      `${pluralize(safe.length, "lane")} could be removed.`,
      "Add --yes to remove those that hold no work.",
    );
  }
  if (!flags.yes && !(await confirm(output.streams, `Remove the ${pluralize(safe.length, "lane")} that hold no work?`)))
    return;
  for (const { lane } of safe) await removeOne(this, client, lane, false);
}

function suggestionLines({ lane, reasons, safe }: LaneSuggestion, dim: (text: string) => string): string[] {
  const size = lane.disk === undefined ? "" : `, ${formatBytes(lane.disk)}`;
  const work = safe ? "" : "  (holds work: only with gantry lanes rm --force)";
  return [`${lane.name}${size}${work}`, ...reasons.map(({ text }) => dim(`  ${text}`))];
}
