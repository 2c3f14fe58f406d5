import { resolve } from "node:path";
import { renderTable, stripControls } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

/** Lists what an agent offers in a folder before its first turn. */
export default async function slashCommands(this: Context, { cwd }: { cwd?: string }, agent: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const found = await client.agents.commands(agent, resolve(cwd ?? "."));
  if (output.json) return output.data(found);
  const rows = found.commands.map(({ name, kind, scope, description = "" }) => [
    output.paint.bold(`/${stripControls(name)}`),
    kind,
    scope,
    stripControls(description),
  ]);
  const columns = ["COMMAND", "KIND", "FROM", "DESCRIPTION"].map((title) => ({
    title,
    ...(title === "DESCRIPTION" ? { shrink: true } : {}),
  }));
  if (rows.length > 0) output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
  else output.print("No commands are known before the first turn.");
  if (found.styles.length > 0)
    output.print(`output styles: ${found.styles.map(({ name }) => stripControls(name)).join(", ")}`);
  if (found.untrusted)
    output.print(output.paint.yellow("The project's own commands are left out: `gantry trust` shows why."));
}
