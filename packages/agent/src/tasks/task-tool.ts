import { z } from "zod";
import type { AgentMessage } from "../contract/messages.ts";
import type { AgentSession } from "../contract/session.ts";
import { type Tool, type ToolContext, ToolError, type ToolOutput } from "../contract/tool.ts";
import { answerFaults, type GateSchema, schemaProblem } from "../gates/schema.ts";
import { defineTool } from "../tools/define.ts";
import { INHERITANCE, type Inheritance, type InheritanceLimits, inheritedContext } from "./inherited-context.ts";
import { openWorkplace, type Workplace } from "./workplace.ts";

/** The work of a subagent. It gets the mode, the person and the guard of its parent. */
export type Assignment = { id: string; agent: string; cwd: string; text: string; schema?: GateSchema };

export type TaskParts = {
  /** Creates a session for the assignment. The tool disposes it. */
  spawn(assignment: Assignment): Promise<AgentSession>;
  /** The depth of this tool's session: 0 for the main session. */
  depth: number;
  /** The id of this tool's session, a prefix for the ids of its subagents. */
  parentId?: string;
  /** Results of subagents, read through `agent://<id>`. */
  outputs: Map<string, string>;
  /** The folder for working copies. */
  worktrees: string;
  maxConcurrency?: number;
  maxDepth?: number;
  /** The time limit of a subagent; 0 or absent: none. */
  maxRuntimeMs?: number;
  /** How much of this conversation subagents may get; absent: nothing. */
  inheritance?: InheritanceLimits & { messages(): readonly AgentMessage[] };
};

const MAX_LINES = 5_000;
const MAX_BYTES = 500_000;
/** How often a subagent may try to give an answer that matches the schema. */
const TRIES = 3;

const one = () =>
  z.object({
    id: z.string().max(48).optional().describe("A short name in CamelCase"),
    description: z.string().optional().describe("A short description"),
    assignment: z.string().min(1).describe("Everything that the subagent must know and do; it gets no other context"),
    inheritContext: z
      .enum(INHERITANCE)
      .optional()
      .describe("How much of this conversation it also gets; only if the user has enabled it"),
  });

const schema = () =>
  z.object({
    agent: z.string().default("task").describe("Which kind of subagent"),
    tasks: z.array(one()).max(32).optional().describe("Assignments, worked on concurrently"),
    prompt: z.string().optional().describe("A single assignment, instead of tasks"),
    description: z.string().optional(),
    context: z.string().optional().describe("Context for all assignments"),
    schema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema that each answer must match"),
    isolated: z.boolean().optional().describe("Work in a copy of the repository; changes come back as a patch"),
    lane: z
      .boolean()
      .optional()
      .describe(
        "Work in a separate lane, from the last commit, that a person reviews; without a daemon the same as isolated",
      ),
  });
type Arguments = z.infer<ReturnType<typeof schema>>;
type Work = { id: string; assignment: string; inheritContext?: Inheritance | undefined };
type Outcome = { id: string; status: "completed" | "failed" | "aborted"; text: string; notes: string[] };

/** Starts subagents and waits for all of them. Aborting the call aborts all of them. */
export function taskTool(parts: TaskParts): Tool {
  let count = 0;
  const { depth, maxDepth = 2, parentId } = parts;
  return defineTool({
    name: "task",
    label: "Task",
    description:
      "Delegates work to subagents, each with a separate session, and waits for their results. Use it for parts that " +
      "do not depend on each other. The result of a subagent can be read again at agent://<id>.",
    schema,
    title: (args) => `task: ${assignmentsOf(args).length} × ${args.agent}`,
    actions(args) {
      if (depth >= maxDepth) throw new ToolError(`Subagents may not be nested deeper than ${maxDepth}.`);
      if (assignmentsOf(args).length === 0) throw new ToolError("Give `tasks` or `prompt`.");
      const problem = args.schema && schemaProblem(args.schema);
      if (problem) throw new ToolError(`schema: ${problem}`);
      if (!parts.inheritance && assignmentsOf(args).some(({ inheritContext = "none" }) => inheritContext !== "none")) {
        throw new ToolError(
          "inheritContext: task.forkContext.enabled is off. Put the necessary context into the assignment.",
        );
      }
      return [{ kind: "agent.spawn", agent: args.agent }];
    },
    async run(args, context) {
      const works = assignmentsOf(args).map((task) => {
        const name = `${count++}-${nameOf(task.id ?? task.description ?? args.agent)}`;
        return { ...task, id: parentId ? `${parentId}.${name}` : name };
      });
      const outcomes = await runConcurrently(works, parts.maxConcurrency ?? 8, (work) =>
        runOne(parts, args, work, context),
      );
      context.signal.throwIfAborted();
      return report(outcomes);
    },
  });
}

function assignmentsOf({ tasks, prompt, description }: Arguments): z.infer<ReturnType<typeof one>>[] {
  if (tasks?.length) return tasks;
  return prompt ? [{ assignment: prompt, ...(description ? { description } : {}) }] : [];
}

function nameOf(text: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return name.slice(0, 48) || "Task";
}

async function runOne(parts: TaskParts, args: Arguments, work: Work, context: ToolContext): Promise<Outcome> {
  const { id } = work;
  let place: Workplace | undefined;
  let session: AgentSession | undefined;
  const limit = deadline(parts.maxRuntimeMs);
  const stop = () => void session?.abort();
  const signal = AbortSignal.any([context.signal, limit.signal]);
  try {
    signal.throwIfAborted();
    place = await openWorkplace(args.lane ? "lane" : args.isolated ? "copy" : "shared", id, parts.worktrees, context);
    const text = assignmentText(parts, args, work);
    const { cwd } = place;
    session = await parts.spawn({ id, agent: args.agent, cwd, text, ...(args.schema ? { schema: args.schema } : {}) });
    signal.addEventListener("abort", stop);
    // The signal may have been aborted while the session was being created.
    signal.throwIfAborted();
    session.subscribe((event) => {
      if (event.type === "tool_execution_start") context.progress(`[${id}] ${event.toolName}\n`);
    });
    const outcome = await converse(session, id, text, args.schema);
    parts.outputs.set(id, outcome.text);
    if (limit.signal.aborted && outcome.status === "aborted") return timedOutOutcome(outcome, limit.ms);
    return { ...outcome, notes: outcome.status === "completed" ? await place.finish() : [] };
  } catch (error) {
    if (limit.signal.aborted) return timedOutOutcome({ id, text: "" }, limit.ms);
    const status = context.signal.aborted ? "aborted" : "failed";
    return { id, status, text: (error as Error).message, notes: [] };
  } finally {
    limit.clear();
    signal.removeEventListener("abort", stop);
    await session?.dispose();
    await place?.leave();
  }
}

function assignmentText({ inheritance }: TaskParts, { context, schema: wanted }: Arguments, work: Work): string {
  const before = inheritance && inheritedContext(inheritance.messages(), work.inheritContext ?? "none", inheritance);
  return [before, context, work.assignment, wanted && schemaInstruction(wanted)].filter(Boolean).join("\n\n");
}

function timedOutOutcome({ id, text }: Pick<Outcome, "id" | "text">, ms: number): Outcome {
  const reason = `The subagent was stopped after ${ms} ms, its time limit (task.maxRuntimeMs).`;
  return { id, status: "failed", text: [reason, text].filter(Boolean).join("\n\n"), notes: [] };
}

/** Without a limit the signal is never aborted. */
function deadline(ms = 0): { signal: AbortSignal; ms: number; clear(): void } {
  const stop = new AbortController();
  const timer = ms > 0 ? setTimeout(() => stop.abort(), ms) : undefined;
  return { signal: stop.signal, ms, clear: () => clearTimeout(timer) };
}

/** Prompts a subagent until its answer matches the schema, at most `TRIES` times. */
async function converse(
  session: AgentSession,
  id: string,
  text: string,
  wanted: GateSchema | undefined,
): Promise<Omit<Outcome, "notes">> {
  let prompt = text;
  for (let tries = 0; ; tries += 1) {
    const end = settledReason(session);
    await session.prompt(prompt);
    const { reason, errorMessage } = await end;
    const answer = session.lastAssistantText() ?? "";
    if (reason === "aborted") return { id, status: "aborted", text: answer };
    if (reason !== "completed") return { id, status: "failed", text: errorMessage ?? (answer || reason) };
    const faults = wanted ? faultsOf(wanted, answer) : [];
    if (faults.length === 0) return { id, status: "completed", text: answer };
    if (tries + 1 >= TRIES)
      return { id, status: "failed", text: `${answer}\n\nDoes not match the schema: ${faults.join("; ")}` };
    prompt = `Your answer does not match the schema: ${faults.join("; ")}. Answer again with the JSON only.`;
  }
}

function settledReason(session: AgentSession): Promise<{ reason: string; errorMessage?: string }> {
  return new Promise((resolve) => {
    const leave = session.subscribe((event) => {
      if (event.type !== "agent_settled") return;
      leave();
      resolve(event);
    });
  });
}

function faultsOf(wanted: GateSchema, answer: string): string[] {
  const json = /```(?:json)?\s*([\s\S]*?)```/.exec(answer)?.[1] ?? answer;
  try {
    return answerFaults(wanted, JSON.parse(json)).map(
      ({ path, message }) => `${path.replace("/answer", "") || "/"} ${message}`,
    );
  } catch {
    return ["it is not JSON"];
  }
}

function schemaInstruction(wanted: GateSchema): string {
  return `Your last message must be only JSON that matches this schema:\n${JSON.stringify(wanted)}`;
}

async function runConcurrently<Work, Result>(
  works: Work[],
  limit: number,
  run: (work: Work) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < works.length) {
      const at = next++;
      results[at] = await run(works[at] as Work);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, works.length) }, worker));
  return results;
}

function report(outcomes: Outcome[]): ToolOutput {
  const text = outcomes
    .map(({ id, status, text: result, notes }) =>
      [`## ${id} (${status})`, shortenResult(result, id), ...notes].join("\n"),
    )
    .join("\n\n");
  return {
    content: [{ type: "text", text }],
    details: { tasks: outcomes.map(({ id, status }) => ({ id, status })) },
    ...(outcomes.every(({ status }) => status !== "completed") ? { isError: true } : {}),
  };
}

function shortenResult(text: string, id: string): string {
  const lines = text.split("\n");
  const cut = lines.slice(0, MAX_LINES).join("\n").slice(0, MAX_BYTES);
  return cut.length === text.length ? text : `${cut}\n[cut; the full result is at agent://${id}]`;
}
