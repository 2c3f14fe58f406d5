import { resolve } from "node:path";
import { statOf } from "@gantry/trust";
import { z } from "zod";
import { type Tool, type ToolContext, ToolError, type ToolOutput, type ToolPlace } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { commandActions } from "../../permissions/bash/command-actions.ts";
import type { SandboxProfile } from "../../sandbox/profile.ts";
import { defineTool } from "../define.ts";
import type { Jobs } from "./jobs.ts";
import type { SessionShell, ShellOutcome } from "./shell.ts";

const schema = () =>
  z.object({
    command: z.string().min(1).describe("The command, for bash"),
    env: z
      .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())
      .optional()
      .describe("Variables for this command only"),
    timeout: z.number().optional().describe("Seconds, 1 to 3600; 300 if left out"),
    cwd: z.string().optional().describe("Folder for this command only"),
    pty: z.boolean().optional().describe("Run in a terminal, for programs that require one"),
    async: z.boolean().optional().describe("Run in the background; use `job` to check on it"),
  });

export type BashToolOptions = {
  shell: SessionShell;
  jobs: Jobs;
  /** The sandbox profile for the allowed actions. */
  profile(actions: readonly Action[], place: ToolPlace, network: boolean): SandboxProfile | undefined;
};

const DESCRIPTION = `Runs a command in bash. The shell is persistent: folder, variables and functions carry over to the next call.
There is no interactive input: stdin is closed. Background processes end with the command; use async for work that must
continue. Commands have their own /tmp; other tools find its files in the folder that $TMPDIR names. A long output is cut to its end, with the address of the whole output.`;

export function bashTool({ shell, jobs, profile }: BashToolOptions): Tool {
  return defineTool({
    name: "bash",
    label: "Bash",
    description: DESCRIPTION,
    schema,
    concurrency: "exclusive",
    title: ({ command }) => command,
    actions: (args, place) => commandActions(args, place, shell).actions,
    async run(args, context, actions) {
      const cwd = args.cwd === undefined ? undefined : requireFolder(resolve(context.cwd, args.cwd));
      const timeoutMs = Math.min(3600, Math.max(1, args.timeout ?? 300)) * 1000;
      const { network, reads } = commandActions(args, context, shell);
      const sandboxProfile = profile(actions, context, network);
      const run = {
        ...(cwd && { cwd }),
        ...(args.env && { env: args.env }),
        ...(sandboxProfile && { profile: sandboxProfile }),
        pty: args.pty ?? false,
        reads,
      };
      if (args.async) {
        const limits = args.timeout === undefined ? {} : { timeoutMs };
        const job = jobs.start(args.command, { ...run, ...limits }, context.callId);
        if (!job) throw new ToolError("Too many jobs are running; cancel one or wait.");
        return {
          content: [{ type: "text", text: `Started ${job.id} in the background.` }],
          details: { jobId: job.id },
        };
      }
      const output = (text: string) => context.progress(text);
      const outcome = await shell.run(args.command, { ...run, timeoutMs, signal: context.signal, output });
      return shellResult(outcome, context, timeoutMs / 1000);
    },
  });
}

function requireFolder(path: string): string {
  if (!statOf(path)?.isDirectory()) throw new ToolError(`There is no folder ${path}.`);
  return path;
}

/** The outcome as a result for the model. */
export async function shellResult(outcome: ShellOutcome, context: ToolContext, seconds: number): Promise<ToolOutput> {
  const lines = [outcome.output.replace(/\n+$/, "")].filter((text) => text !== "");
  const address = outcome.truncated ? await context.keep(outcome.readWhole(), "bash") : undefined;
  if (address) {
    lines.unshift(`[The last ${outcome.outputLines} of ${outcome.totalLines} lines; whole output: ${address}]`);
  }
  lines.push(...outcome.notes.map((note) => `[${note}]`));
  if (outcome.timedOut) lines.push(`Command timed out after ${seconds} seconds`);
  else if (outcome.cancelled) lines.push("Command aborted");
  else if (outcome.exitCode !== 0) lines.push(`Command exited with code ${outcome.exitCode}`);
  const { readWhole: _, ...details } = outcome;
  return {
    content: [{ type: "text", text: lines.join("\n") || "(no output)" }],
    details: { ...details, output: undefined, ...(address && { artifact: address }) },
    ...(outcome.exitCode !== 0 && { isError: true }),
  };
}
