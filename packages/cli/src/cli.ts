import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { run, type StricliProcess } from "@stricli/core";
import { buildCommandLine } from "./program/application.ts";
import type { Context } from "./program/context.ts";
import { exitCodes } from "./program/exit-codes.ts";
import { takeForeignFlags } from "./program/foreign-flags.ts";
import { takeGlobals } from "./program/globals.ts";
import { makeOutput, type Terminal } from "./program/output.ts";

/** Runs one command line against a terminal. Resolves to the exit status. */
export async function runCommandLine(
  argv: readonly string[],
  version: string,
  terminal: Terminal = process,
): Promise<number> {
  const { json, noColor, rest: given } = takeGlobals(argv);
  const { rest, left } = given[0] === "agent" ? await agentArguments(given) : { rest: given, left: [] };
  const { stdout, stderr, env } = terminal;
  const output = makeOutput(terminal, { json, noColor });
  for (const flag of left) output.note(`Ignored ${flag}: gantry agent does not have it.`);
  const shell: StricliProcess = {
    stdout: { write: (text) => stdout.write(text), getColorDepth: () => (output.paint.enabled ? 4 : 1) },
    // Errors are already coloured.
    stderr: { write: (text) => stderr.write(text), getColorDepth: () => 1 },
    env,
  };
  // Without a command a person gets the full-screen program; a pipe gets the help.
  if (rest.length === 0 && argv.length === 0 && output.interactive) rest.push("tui");
  const application = await buildCommandLine({ version, output }, rest[0]);
  const context: Context = { process: shell, env, home: homeFolder(env), version, output, application };
  await run(application, rest, context);
  return statusOf(Number(shell.exitCode ?? 0));
}

async function agentArguments(given: readonly string[]): Promise<{ rest: string[]; left: string[] }> {
  const { agentFlags } = await import("./commands/own-agent/commands.ts");
  return takeForeignFlags(given, agentFlags);
}

/** The parser's own codes are negative: -4 and -5 are usage errors, the others are faults of Gantry. */
function statusOf(code: number): number {
  if (code >= 0) return code;
  return code === -4 || code === -5 ? exitCodes.usage : exitCodes.failed;
}

/** GANTRY_HOME, or `~/.gantry`. Duplicates the runtime's rule, because importing the runtime would load the daemon. */
function homeFolder(env: Record<string, string | undefined>): string {
  return env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : join(homedir(), ".gantry");
}
