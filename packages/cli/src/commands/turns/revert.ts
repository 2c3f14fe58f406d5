import { GantryError, type Reverted } from "@gantry/protocol";
import { type Paint, pluralize, shortId, stripControls } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { resolveTurn } from "./resolve-turn.ts";

export type RevertFlags = { to?: "before" | "after"; dryRun: boolean; force: boolean; undo?: string };

/** Reverts the files of a turn, or undoes a revert. */
export default async function revert(this: Context, flags: RevertFlags, ...names: string[]): Promise<void> {
  const { output } = this;
  const [name = "", turn, ...paths] = names;
  const client = await connect(this);
  const { id } = await resolveSession(client, name);
  const how = { dry: flags.dryRun, force: flags.force };
  if (flags.undo !== undefined && turn !== undefined) {
    throw new GantryError("invalid", "--undo undoes a whole revert. Give no turn and no files.");
  }
  const done =
    flags.undo === undefined
      ? await client.turns.revert(id, (await resolveTurn(client, id, turn)).turn, {
          ...how,
          to: flags.to,
          ...(paths.length > 0 ? { paths } : {}),
        })
      : await client.turns.undo(id, flags.undo, how);
  if (output.json) return output.data(done);
  output.print(lines(done, id, output.paint));
}

function lines({ files, done, undo }: Reverted, session: string, paint: Paint): string[] {
  const acted = files.filter(({ action }) => action !== "none");
  if (acted.length === 0) return ["Nothing to do: the files already have that content."];
  const rows = files.map(({ path, action, conflict, why }) => {
    const sign = action === "none" ? paint.dim("=") : action === "delete" ? paint.red("D") : paint.green("W");
    const word = why ? `  ${conflict ? paint.yellow(why) : paint.dim(why)}` : "";
    return `  ${sign} ${stripControls(path)}${word}`;
  });
  if (!done) return [`Would restore ${pluralize(acted.length, "file")}:`, ...rows];
  const back = undo ? [paint.dim(`  gantry revert ${shortId(session)} --undo ${undo}    # undo`)] : [];
  return [`Restored ${pluralize(acted.length, "file")}:`, ...rows, ...back];
}
