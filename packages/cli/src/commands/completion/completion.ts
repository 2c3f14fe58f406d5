import { proposeCompletions, run } from "@stricli/core";
import type { Context } from "../../program/context.ts";
import { globalFlags } from "../../program/globals.ts";
import { type Shell, scripts } from "./scripts.ts";

/** Prints the completion script for a shell. */
export function completion(this: Context, _flags: Record<never, never>, shell: Shell): void {
  if (this.output.json) return this.output.data({ shell, script: scripts[shell] });
  this.output.print(scripts[shell].trimEnd());
}

/** `gantry help run` is `gantry run --help`. */
export async function help(this: Context, _flags: Record<never, never>, ...args: string[]): Promise<void> {
  await run(this.application, [...args, "--help"], this);
}

/** Prints one proposal per line: name, tab, description. */
export async function complete(this: Context, _flags: Record<never, never>, ...args: string[]): Promise<void> {
  const typed = args.length === 0 ? [""] : args;
  const partial = typed.at(-1) ?? "";
  const proposals = await proposeCompletions(this.application, typed, this);
  const globals = partial.startsWith("-") ? globalFlags.filter((flag) => flag.name.startsWith(partial)) : [];
  const lines = [
    ...subcommands(this, typed, partial),
    ...proposals
      .filter(({ completion }) => completion !== "--")
      .map(({ completion, brief }) => `${completion}\t${brief}`),
    ...globals.map(({ name, brief }) => `${name}\t${brief}`),
  ];
  if (lines.length > 0) this.output.print([...new Set(lines)]);
}

/** For a route map with a default command the parser proposes only for the default; adds the other subcommands. */
function subcommands({ application: { root } }: Context, typed: string[], partial: string): string[] {
  const target = "getRoutingTargetForInput" in root ? root.getRoutingTargetForInput(typed[0] ?? "") : undefined;
  if (typed.length !== 2 || !target || !("getAllEntries" in target)) return [];
  const entries = target.getAllEntries().filter((entry) => entry.name.original.startsWith(partial));
  return entries.map((entry) => `${entry.name.original}\t${entry.target.brief}`);
}
