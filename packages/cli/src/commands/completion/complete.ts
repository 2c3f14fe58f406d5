import { proposeCompletions } from "@stricli/core";
import type { Context } from "../../program/context.ts";
import { globalFlags } from "../../program/globals.ts";

/** One proposal a line, with what it is after a tab. */
export default async function complete(this: Context, _flags: Record<never, never>, ...words: string[]): Promise<void> {
  const typed = words.length === 0 ? [""] : words;
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

/** Where a command has a default, the parser proposes only for that; the others belong there too. */
function subcommands({ application: { root } }: Context, typed: string[], partial: string): string[] {
  const target = "getRoutingTargetForInput" in root ? root.getRoutingTargetForInput(typed[0] ?? "") : undefined;
  if (typed.length !== 2 || !target || !("getAllEntries" in target)) return [];
  const entries = target.getAllEntries().filter((entry) => entry.name.original.startsWith(partial));
  return entries.map((entry) => `${entry.name.original}\t${entry.target.brief}`);
}
