import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { ToolPlace } from "../../contract/tool.ts";
import type { Action, PermissionMode } from "../../permissions/action.ts";
import { commandActions } from "../../permissions/bash/command-actions.ts";
import type { SandboxProfile } from "../../sandbox/profile.ts";
import { createShell, type ShellOptions } from "./shell.ts";

/** The end of a hook command, with its output and errors apart. */
export type HookRun = { exitCode?: number; stdout: string; stderr: string; timedOut: boolean };

/**
 * Runs a hook command with `input` on stdin, in the sandbox and environment of the tool `bash` but in a separate shell:
 * variables and functions that the model left in its shell must not reach a hook. `skipped`: the mode does not allow the
 * command. Never rejects.
 */
export type RunHook = (
  command: string,
  input: string,
  options: { signal: AbortSignal; timeoutMs: number },
) => Promise<HookRun | { skipped: string }>;

export type HookRunnerParts = ShellOptions & {
  place: ToolPlace;
  agentDir: string;
  mode(): PermissionMode;
  profile(actions: readonly Action[], place: ToolPlace, network: boolean): SandboxProfile | undefined;
};

const MOST_BYTES = 1_000_000;

export function hookRunner(parts: HookRunnerParts): RunHook {
  const { place, agentDir, mode, profile, ...shellOptions } = parts;
  return async (command, input, { signal, timeoutMs }) => {
    const fresh = { cwd: place.cwd, variables: () => ({}) };
    const { actions, network, reads } = commandActions({ command }, place, fresh);
    const confined = profile(actions, place, network);
    const hasSandbox = confined !== undefined && (await parts.sandbox()).kind !== "none";
    if (mode() === "plan" && !hasSandbox && !reads)
      return {
        skipped: `${command} was not run: plan mode only reads, and there is no sandbox that would enforce it.`,
      };
    const shell = createShell(shellOptions);
    const mark = `gantry-${randomUUID()}`;
    try {
      const outcome = await shell.run(script(command, input, mark), {
        signal,
        timeoutMs,
        env: { CLAUDE_PROJECT_DIR: place.cwd },
        ...(confined ? { profile: withHookFolder(confined, agentDir) } : {}),
      });
      return parse(outcome.truncated ? outcome.readWhole() : outcome.output, mark, outcome.timedOut);
    } finally {
      await shell.dispose();
    }
  };
}

/** The user's own scripts lie in a folder that the sandbox hides otherwise. */
function withHookFolder(profile: SandboxProfile, agentDir: string): SandboxProfile {
  return { ...profile, visible: [...(profile.visible ?? []), join(agentDir, "hooks")] };
}

/** The input is part of the script, because an environment variable has a limit of 128 KB. */
function script(command: string, input: string, mark: string): string {
  const quoted = `'${command.replaceAll("'", `'\\''`)}'`;
  return [
    'gantry_hook=$(mktemp -d) || { echo "no folder for temporary files"; exit 1; }',
    `bash -c ${quoted} <<'${mark}' >"$gantry_hook/out" 2>"$gantry_hook/err"`,
    input,
    mark,
    "gantry_code=$?",
    `printf '%s\\n' ${mark}; head -c ${MOST_BYTES} "$gantry_hook/out"`,
    `printf '%s\\n' ${mark}; head -c ${MOST_BYTES} "$gantry_hook/err"`,
    `printf '%s\\n%s\\n' ${mark} "$gantry_code"; rm -rf "$gantry_hook"`,
  ].join("\n");
}

function parse(output: string, mark: string, timedOut: boolean): HookRun {
  const [, stdout, stderr, code] = output.split(`${mark}\n`);
  if (code === undefined) return { stdout: "", stderr: output.replaceAll(mark, "").trim(), timedOut };
  return { exitCode: Number(code.trim()), stdout: stdout ?? "", stderr: stderr ?? "", timedOut };
}
