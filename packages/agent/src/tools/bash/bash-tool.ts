import { statSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { type Tool, type ToolContext, ToolError, type ToolOutput, type ToolPlace } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { classify } from "../../permissions/bash/classify.ts";
import { RISKY_VARIABLE } from "../../permissions/bash/programs.ts";
import type { SandboxProfile } from "../../sandbox/profile.ts";
import { defineTool } from "../define.ts";
import type { Jobs } from "./jobs.ts";
import type { SessionShell, ShellOutcome } from "./shell.ts";

const schema = z.object({
  command: z.string().min(1).describe("The command, for bash"),
  env: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())
    .optional()
    .describe("Variables for this command alone"),
  timeout: z.number().optional().describe("Seconds, 1 to 3600; 300 if left out"),
  cwd: z.string().optional().describe("Folder for this command alone"),
  pty: z.boolean().optional().describe("Run in a terminal, for programs that insist on one"),
  async: z.boolean().optional().describe("Run in the background; `job` asks about it"),
});

export type BashToolOptions = {
  shell: SessionShell;
  jobs: Jobs;
  /** What the command is kept to, by what was allowed. */
  profile(actions: readonly Action[], place: ToolPlace, network: boolean): SandboxProfile | undefined;
};

const DESCRIPTION = `Runs a command in bash. The shell lasts: the folder, variables and functions stay for the next call.
There is nobody to type: stdin is closed. What is left running in the background ends with the command; use async for
what shall go on. Commands have their own /tmp; other tools find its files in the folder that $TMPDIR names. Of a long output the end is given, and the address of all of it.`;

export function bashTool({ shell, jobs, profile }: BashToolOptions): Tool {
  const judged = (args: z.output<typeof schema>, place: ToolPlace) =>
    classify(args.command, {
      cwd: place.cwd,
      folders: place.folders,
      env: { ...place.env, ...args.env },
      at: args.cwd ? resolve(place.cwd, args.cwd) : shell.cwd,
    });
  return defineTool({
    name: "bash",
    label: "Bash",
    description: DESCRIPTION,
    schema,
    concurrency: "exclusive",
    title: ({ command }) => command,
    actions(args, place) {
      const { actions } = judged(args, place);
      const risky = Object.keys(args.env ?? {}).some((name) => RISKY_VARIABLE.test(name));
      return risky ? [...actions, { kind: "bash.mutating", command: args.command }] : actions;
    },
    async run(args, context, actions) {
      const cwd = args.cwd === undefined ? undefined : folder(resolve(context.cwd, args.cwd));
      const timeoutMs = Math.min(3600, Math.max(1, args.timeout ?? 300)) * 1000;
      const kept = profile(actions, context, judged(args, context).network);
      const run = {
        ...(cwd && { cwd }),
        ...(args.env && { env: args.env }),
        ...(kept && { profile: kept }),
        pty: args.pty ?? false,
      };
      if (args.async) {
        const job = jobs.start(args.command, { ...run, ...(args.timeout !== undefined && { timeoutMs }) });
        if (!job) throw new ToolError("Too many jobs run already; cancel one or wait.");
        return {
          content: [{ type: "text", text: `Started ${job.id} in the background.` }],
          details: { jobId: job.id },
        };
      }
      const output = (text: string) => context.progress(text);
      const outcome = await shell.run(args.command, { ...run, timeoutMs, signal: context.signal, output });
      return told(outcome, context, timeoutMs / 1000);
    },
  });
}

function folder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new ToolError(`There is no folder ${path}.`);
  return path;
}

/** The outcome as the model gets it. */
export async function told(outcome: ShellOutcome, context: ToolContext, seconds: number): Promise<ToolOutput> {
  const lines = [outcome.output.replace(/\n+$/, "")].filter((text) => text !== "");
  const address = outcome.truncated ? await context.keep(outcome.whole(), "bash") : undefined;
  if (address) {
    lines.unshift(`[The last ${outcome.outputLines} of ${outcome.totalLines} lines; all of it: ${address}]`);
  }
  lines.push(...outcome.notes.map((note) => `[${note}]`));
  if (outcome.timedOut) lines.push(`Command timed out after ${seconds} seconds`);
  else if (outcome.cancelled) lines.push("Command aborted");
  else if (outcome.exitCode !== 0) lines.push(`Command exited with code ${outcome.exitCode}`);
  const { whole: _, ...details } = outcome;
  return {
    content: [{ type: "text", text: lines.join("\n") || "(no output)" }],
    details: { ...details, output: undefined, ...(address && { artifact: address }) },
    ...(outcome.exitCode !== 0 && { isError: true }),
  };
}
