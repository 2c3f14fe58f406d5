import { resolve } from "node:path";
import type { Action } from "../action.ts";
import type { Environment } from "../gantry-folders.ts";
import { classify } from "./classify.ts";
import { isHarmlessVariable } from "./reading/variables.ts";

/** A command as a tool call, an RPC command or a person states it. `cwd` and `env` are for this command only. */
export type ShellCommand = { command: string; env?: Record<string, string> | undefined; cwd?: string | undefined };

/** `reads`: nothing in the command goes beyond reading, so it runs in a neutral environment (`NEUTRAL_ENVIRONMENT`). */
export type CommandActions = { actions: Action[]; network: boolean; reads: boolean };

/**
 * What a shell command is about to do. Every place that runs shell text for the model, a client or a person decides by these actions.
 * `shell`: where the command runs, and the variables that earlier commands left.
 */
export function commandActions(
  { command, env = {}, cwd }: ShellCommand,
  place: { cwd: string; folders: readonly string[]; env: Environment },
  shell: { cwd: string; variables(): Record<string, string> },
): CommandActions {
  const { actions, network, worst } = classify(command, {
    cwd: place.cwd,
    folders: place.folders,
    env: { ...place.env, ...shell.variables(), ...env },
    at: cwd === undefined ? shell.cwd : resolve(place.cwd, cwd),
  });
  const harmless = Object.keys(env).every(isHarmlessVariable);
  const reads = worst === "bash.readonly" && harmless;
  return { actions: harmless ? actions : [...actions, { kind: "bash.mutating", command }], network, reads };
}
