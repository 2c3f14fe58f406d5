import { homedir } from "node:os";
import { resolve } from "node:path";
import { distrustFolder, findProjectCode, trustFolder } from "@gantry/agent";
import { agentFolder } from "@gantry/models";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

type Flags = { show: boolean; remove: boolean };

/** Trusts the current content of the files that a project would run. Refused in an agent's shell: only a person may decide. */
export default async function trust(this: Context, flags: Flags, folder = "."): Promise<void> {
  const { output, env } = this;
  const cwd = resolve(folder);
  const place = { cwd, agentDir: agentFolder(env), home: env.HOME ?? homedir() };
  if (flags.show && flags.remove) throw usageError("--show and --remove cannot be used together.");
  if (!flags.show && env.GANTRY_AGENT !== undefined) {
    throw usageError("An agent cannot change which projects are trusted.", "Run the command in a terminal yourself.");
  }
  if (flags.remove) {
    const removed = distrustFolder(place);
    if (output.json) return output.data({ folder: cwd, removed });
    return output.print(removed ? `${cwd} is no longer trusted.` : `${cwd} was not trusted.`);
  }
  const code = await findProjectCode({ ...place, path: env.PATH ?? "" });
  if (!flags.show) trustFolder(place, code);
  if (output.json) return output.data({ folder: cwd, trusted: !flags.show, ...code });
  const files = [...code.configs, ...code.programs];
  output.print(flags.show ? `To trust ${cwd} would allow:` : `${cwd} is trusted now. This allows:`);
  output.print("  language servers that load code of the project, and entries of PATH in it");
  for (const file of files) output.print(`  ${file}`);
  if (files.length > 0) output.print("A file that changes has to be trusted again.");
}
