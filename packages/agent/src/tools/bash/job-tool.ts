import { z } from "zod";
import { type Tool, ToolError } from "../../contract/tool.ts";
import { defineTool } from "../define.ts";
import type { Job, Jobs } from "./jobs.ts";

const schema = () =>
  z.object({
    poll: z.array(z.string()).optional().describe("Ids; waits until one of them has ended, at most 30 seconds"),
    cancel: z.array(z.string()).optional().describe("Ids of jobs to end"),
    list: z.boolean().optional().describe("List all jobs"),
  });

/** How long `poll` waits. */
const WAIT_MS = 30_000;

export function jobTool(jobs: Jobs, waitMs = WAIT_MS): Tool {
  return defineTool({
    name: "job",
    label: "Job",
    description: "Lists, polls or ends commands that run in the background.",
    schema,
    title: ({ poll, cancel }) => [...(cancel ?? []).map((id) => `cancel ${id}`), ...(poll ?? [])].join(", ") || "list",
    actions: () => [{ kind: "inner" }],
    async run({ poll = [], cancel = [], list }, { signal }) {
      const unknown = [...poll, ...cancel].filter((id) => !jobs.get(id));
      if (unknown.length > 0) throw new ToolError(`There is no job ${unknown.join(", ")}.`);
      const lines: string[] = [];
      for (const id of cancel) lines.push(inFull((await jobs.cancel(id))!));
      await jobs.wait(poll, waitMs, signal);
      for (const id of poll) lines.push(inFull(jobs.get(id)!));
      if (list || lines.length === 0) lines.push(...jobs.list().map(inShort));
      return lines.join("\n") || "There are no jobs.";
    },
  });
}

function inShort({ id, status, command }: Job): string {
  return `${id}: ${status}: ${command.replace(/\s+/g, " ").slice(0, 200)}`;
}

/** A job with its output. */
export function inFull(job: Job): string {
  const code = job.outcome?.exitCode;
  const exit = code !== undefined && code !== 0 ? `\nCommand exited with code ${code}` : "";
  const timeout = job.outcome?.timedOut ? "\nCommand timed out" : "";
  return `${inShort(job)}\n${job.output.replace(/\n+$/, "")}${exit}${timeout}`;
}
