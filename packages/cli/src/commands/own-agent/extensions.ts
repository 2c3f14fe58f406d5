import type { AgentOptions, ExtensionRow } from "@gantry/agent/command";
import { renderTable } from "@gantry/terminal";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

/** `gantry agent extensions`: lists the extensions of the agent, or enables or disables one. */
export async function extensions(context: Context, options: AgentOptions, args: readonly string[]): Promise<void> {
  const { output } = context;
  const [verb = "list", name] = args;
  const { listExtensions, setExtensionEnabled } = await import("@gantry/agent/command");
  if (verb === "list") {
    if (name !== undefined) throw usageError("`gantry agent extensions list` takes no name.");
    const found = await listExtensions(options);
    if (output.json) return output.data(found);
    for (const problem of found.problems) output.note(problem);
    return output.print(render(context, found.extensions));
  }
  if (name === undefined) throw usageError(`Which one? gantry agent extensions ${verb} <name>`);
  const isEnabled = verb === "enable";
  const { file } = await setExtensionEnabled(options, name, isEnabled).catch((error: Error) => {
    throw usageError(error.message, "`gantry agent extensions` lists them.");
  });
  if (output.json) return output.data({ name, enabled: isEnabled, file });
  output.print(
    `${name} is ${isEnabled ? "enabled" : "disabled"} (${file}). Running agents use it after /reload or a restart.`,
  );
}

function render({ output }: Context, rows: readonly ExtensionRow[]): string[] {
  if (rows.length === 0) return ["There are no extensions. See docs/user/extensions.md for where to put them."];
  const columns = ["NAME", "FROM", "STATE", "TRUST", "ADDS", "PROBLEM"].map((title, at) => ({ title, shrink: at > 3 }));
  const cells = rows.map(({ name, from, state, trust, adds, problem }) => [
    name,
    from,
    state,
    trust,
    describe(adds),
    problem ?? "",
  ]);
  return renderTable(columns, cells, { header: output.paint.dim, width: output.width?.() });
}

function describe({ tools, commands, hooks, providers }: ExtensionRow["adds"]): string {
  const parts = [
    ...tools,
    ...commands.map((name) => `/${name}`),
    ...hooks.map((name) => `on ${name}`),
    ...providers.map((name) => `${name}/…`),
  ];
  return parts.join(", ");
}
