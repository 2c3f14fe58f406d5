import { makePaint } from "@gantry/terminal";
import { commandGroups } from "../commands/table.ts";

/** The first screen. `briefs` has one line for each command. */
export function rootHelp(version: string, briefs: ReadonlyMap<string, string>, colour: boolean): string {
  const paint = makePaint(colour);
  const sections = Object.entries(commandGroups).map(([title, commands]) => {
    const rows = Object.keys(commands).map((name) => `  ${paint.cyan(name.padEnd(14))}${briefs.get(name) ?? ""}`);
    return [paint.bold(title), ...rows].join("\n");
  });
  const start = [
    `${paint.bold("gantry")} ${paint.dim(version)}  every coding agent on your machine behind one durable session`,
    "",
    `  gantry demo                   ${paint.dim("try it without a key or a network")}`,
    `  gantry run -a claude "…"      ${paint.dim("start an agent here")}`,
    `  gantry <command> --help       ${paint.dim("flags and examples; --json works everywhere")}`,
  ].join("\n");
  return `${[start, ...sections].join("\n\n")}\n`;
}
