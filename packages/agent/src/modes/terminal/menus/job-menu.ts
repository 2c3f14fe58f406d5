import { type Choice, firstLine, formatDuration, stripControls } from "@gantry/terminal";
import type { BackgroundJob } from "../../../contract/session.ts";
import type { CommandContext } from "../command-context.ts";

/** The last lines of the output that are shown. */
const MOST_LINES = 40;

/** The background jobs, running ones first, then the newest. Choosing one shows what can be done with it. */
export function jobChoices(context: CommandContext): Choice[] {
  const jobs = context.agent.session.jobs().toReversed();
  const running = jobs.filter(({ status }) => status === "running");
  const ended = jobs.filter(({ status }) => status !== "running");
  return [...running, ...ended].map((job) => ({
    label: `${job.id}  ${firstLine(stripControls(job.command))}`,
    detail: stateText(job),
    pick: () => context.pick(job.id, actionsOf(context, job.id)),
  }));
}

function actionsOf(context: CommandContext, id: string): Choice[] {
  const show = { label: "Show its output", pick: () => showJob(context, id) };
  const stop = { label: "Stop it", pick: () => stopJob(context, id) };
  return requireJob(context, id).status === "running" ? [show, stop] : [show];
}

/** Prints the state and the end of the output. Throws for an unknown job. */
export function showJob(context: CommandContext, id: string): void {
  const job = requireJob(context, id);
  const lines = stripControls(job.output).trimEnd().split("\n");
  const left = lines.length - MOST_LINES;
  context.print([
    `  ${job.id}: ${stateText(job)}: ${firstLine(stripControls(job.command))}`,
    ...(left > 0 ? [`  … ${left} earlier lines`] : []),
    ...(job.output.trim() === "" ? ["  no output yet"] : lines.slice(-MOST_LINES).map((line) => `  ${line}`)),
  ]);
}

/** Resolves when the processes of the job have ended. Throws for an unknown job. */
export async function stopJob(context: CommandContext, id: string): Promise<void> {
  const { session } = context.agent;
  const isStopped = (await session.stopJob(requireJob(context, id).id)) === true;
  context.print([isStopped ? `  ${id} was stopped.` : `  ${id} has already ended.`]);
}

function requireJob({ agent }: CommandContext, id: string): BackgroundJob {
  const job = agent.session.jobs().find((one) => one.id === id || one.id === `job-${id}`);
  if (!job) throw new Error(`There is no job ${id}. /jobs lists them.`);
  return job;
}

function stateText({ status, startedAt, endedAt = Date.now(), exitCode }: BackgroundJob): string {
  const time = formatDuration(endedAt - startedAt);
  if (status === "running") return `running for ${time}`;
  if (status === "cancelled") return `stopped after ${time}`;
  const code = exitCode === undefined ? "" : ` with code ${exitCode}`;
  return status === "done" ? `done after ${time}` : `failed${code} after ${time}`;
}
