import { stripControls } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

/** Stages or unstages files of a session's folder. Prints all staged files. */
export default async function stage(this: Context, { remove }: { remove: boolean }, ...names: string[]): Promise<void> {
  const { output } = this;
  const [name = "", ...paths] = names;
  if (remove && paths.length === 0)
    throw usageError("Name the files to unstage.", "gantry stage --remove <session> <files>");
  const client = await connect(this);
  const { id } = await resolveSession(client, name);
  const change = remove ? client.changes.unstage : client.changes.stage;
  const staged = paths.length === 0 ? (await client.changes.commitPlan(id)).staged : await change(id, { paths });
  if (output.json) return output.data({ staged });
  if (staged.length === 0) return output.print("Nothing is staged.");
  output.print(
    staged.map(({ path, partly }) => `${stripControls(path)}${partly ? output.paint.dim(" (partly)") : ""}`),
  );
}
