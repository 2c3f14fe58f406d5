import { proposeCompletions } from "@stricli/core";
import { application } from "../application.ts";
import type { Context } from "../context.ts";
import { globalFlags } from "../globals.ts";

/** One proposal a line, with what it is after a tab. */
export default async function complete(this: Context, _flags: Record<never, never>, ...words: string[]): Promise<void> {
  const typed = words.length === 0 ? [""] : words;
  const partial = typed.at(-1) ?? "";
  const proposals = await proposeCompletions(application(this), typed, this);
  const globals = partial.startsWith("-") ? globalFlags.filter((flag) => flag.name.startsWith(partial)) : [];
  const lines = [
    ...proposals.map(({ completion, brief }) => `${completion}\t${brief}`),
    ...globals.map(({ name, brief }) => `${name}\t${brief}`),
  ];
  if (lines.length > 0) this.output.print([...new Set(lines)]);
}
