import { DATA_FLOW } from "./probes/data-flow.ts";
import { GENERATED } from "./probes/generated.ts";
import { GIT } from "./probes/git.ts";
import { MISMATCHES } from "./probes/mismatches.ts";
import { PROGRAMS } from "./probes/programs.ts";
import { SECRETS } from "./probes/secrets.ts";
import { SYNTAX } from "./probes/syntax.ts";

/** A command that tries to have an effect in plan mode. `class` groups it in the table. */
export type Probe = { class: string; command: string };

/** All probes. The names of files in them are those of the throw-away repository (`workspace.ts`). */
export const PROBES: readonly Probe[] = dropRepeated([
  ...read("program that writes or runs", PROGRAMS),
  ...read("shell syntax", SYNTAX),
  ...read("git", GIT),
  ...read("secret", SECRETS),
  ...read("expansion", DATA_FLOW),
  ...read("parsed differently", MISMATCHES),
  ...GENERATED,
]);

/** One probe per line; `¶` is a line break in it. */
function read(group: string, text: string): Probe[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => ({ class: group, command: line.replaceAll("¶", "\n") }));
}

function dropRepeated(probes: readonly Probe[]): Probe[] {
  return [...new Map(probes.map((probe) => [probe.command, probe])).values()];
}
