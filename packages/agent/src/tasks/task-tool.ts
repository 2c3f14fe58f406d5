import { z } from "zod";
import type { AgentMessage } from "../contract/messages.ts";
import type { AgentSession } from "../contract/session.ts";
import { type Tool, type ToolContext, ToolError, type ToolOutput } from "../contract/tool.ts";
import { answerFaults, type GateSchema, schemaProblem } from "../gates/schema.ts";
import { defineTool } from "../tools/define.ts";
import { INHERITANCE, type Inheritance, type InheritanceLimits, inheritedContext } from "./inherited-context.ts";
import { openWorkplace, type Workplace } from "./workplace.ts";

/** What a subagent is started with. It gets the mode, the person and the guard of its parent. */
export type Assignment = { id: string; agent: string; cwd: string; text: string; schema?: GateSchema };

export type TaskParts = {
  /** A new session for the assignment, which the tool disposes. */
  spawn(assignment: Assignment): Promise<AgentSession>;
  /** How deep the session of this tool is itself: 0 for the one that a person talks to. */
  depth: number;
  /** Its id, for those below it. */
  parentId?: string;
  /** Where `agent://<id>` reads what subagents gave back. */
  outputs: Map<string, string>;
  /** The folder for working copies. */
  worktrees: string;
  maxConcurrency?: number;
  maxDepth?: number;
  /** After so long a subagent is stopped; 0 or nothing: never. */
  maxRuntimeMs?: number;
  /** What subagents may be told of the conversation that they come from; nothing where they may not. */
  inheritance?: InheritanceLimits & { messages(): readonly AgentMessage[] };
};

const MAX_LINES = 5_000;
const MAX_BYTES = 500_000;
/** How often a subagent is asked again for an answer that fits. */
const TRIES = 3;

const one = z.object({
  id: z.string().max(48).optional().describe("A short name in CamelCase"),
  description: z.string().optional().describe("What it is about, in a few words"),
  assignment: z.string().min(1).describe("Everything that the subagent must know and do; it sees nothing else"),
  inheritContext: z
    .enum(INHERITANCE)
    .optional()
    .describe("How much of this conversation it is told beside that; only where the user has allowed it"),
});

const schema = z.object({
  agent: z.string().default("task").describe("Which kind of subagent"),
  tasks: z.array(one).max(32).optional().describe("Assignments that are worked on beside each other"),
  prompt: z.string().optional().describe("A single assignment, in place of tasks"),
  description: z.string().optional(),
  context: z.string().optional().describe("What all assignments have in common"),
  schema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema that each answer must fit"),
  isolated: z.boolean().optional().describe("Work in a copy of the repository; changes come back as a patch"),
  lane: z
    .boolean()
    .optional()
    .describe(
      "Work in a lane of its own, from what is committed, that a person looks at; without a daemon as isolated",
    ),
});
type Arguments = z.infer<typeof schema>;
type Work = { id: string; assignment: string; inheritContext?: Inheritance | undefined };
type Outcome = { id: string; status: "completed" | "failed" | "aborted"; text: string; notes: string[] };

/** Starts subagents and waits for all of them. Aborting the call aborts every one of them. */
export function taskTool(parts: TaskParts): Tool {
  let count = 0;
  const { depth, maxDepth = 2, parentId } = parts;
  return defineTool({
    name: "task",
    label: "Task",
    description:
      "Gives work to subagents, each with a session of its own, and waits for what they give back. Use it for parts " +
      "that do not depend on each other. What a subagent said can be read again at agent://<id>.",
    schema,
    title: (args) => `task: ${assignmentsOf(args).length} × ${args.agent}`,
    actions(args) {
      if (depth >= maxDepth) throw new ToolError(`Subagents may not be nested deeper than ${maxDepth}.`);
      if (assignmentsOf(args).length === 0) throw new ToolError("Give `tasks` or `prompt`.");
      const problem = args.schema && schemaProblem(args.schema);
      if (problem) throw new ToolError(`schema: ${problem}`);
      if (!parts.inheritance && assignmentsOf(args).some(({ inheritContext = "none" }) => inheritContext !== "none")) {
        throw new ToolError(
          "inheritContext: task.forkContext.enabled is off. Say in the assignment what it must know.",
        );
      }
      return [{ kind: "agent.spawn", agent: args.agent }];
    },
    async run(args, context) {
      const works = assignmentsOf(args).map((task) => {
        const name = `${count++}-${nameOf(task.id ?? task.description ?? args.agent)}`;
        return { ...task, id: parentId ? `${parentId}.${name}` : name };
      });
      const outcomes = await inLanes(works, parts.maxConcurrency ?? 8, (work) => runOne(parts, args, work, context));
      context.signal.throwIfAborted();
      return report(outcomes);
    },
  });
}

function assignmentsOf({ tasks, prompt, description }: Arguments): z.infer<typeof one>[] {
  if (tasks?.length) return tasks;
  return prompt ? [{ assignment: prompt, ...(description ? { description } : {}) }] : [];
}

function nameOf(words: string): string {
  const name = words
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
    // An abort while it was being made has been told to nobody.
    signal.throwIfAborted();
    session.subscribe((event) => {
      if (event.type === "tool_execution_start") context.progress(`[${id}] ${event.toolName}\n`);
    });
    const outcome = await converse(session, id, text, args.schema);
    parts.outputs.set(id, outcome.text);
    if (limit.signal.aborted && outcome.status === "aborted") return late(outcome, limit.ms);
    return { ...outcome, notes: outcome.status === "completed" ? await place.done() : [] };
  } catch (error) {
    if (limit.signal.aborted) return late({ id, text: "" }, limit.ms);
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

function late({ id, text }: Pick<Outcome, "id" | "text">, ms: number): Outcome {
  const words = `It was stopped after ${ms} ms, the longest that a subagent may take (task.maxRuntimeMs).`;
  return { id, status: "failed", text: [words, text].filter(Boolean).join("\n\n"), notes: [] };
}

/** Without a limit it is never aborted. */
function deadline(ms = 0): { signal: AbortSignal; ms: number; clear(): void } {
  const stop = new AbortController();
  const timer = ms > 0 ? setTimeout(() => stop.abort(), ms) : undefined;
  return { signal: stop.signal, ms, clear: () => clearTimeout(timer) };
}

/** Talks to a subagent until its answer fits, or it has had its tries. */
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
    const said = session.lastAssistantText() ?? "";
    if (reason === "aborted") return { id, status: "aborted", text: said };
    if (reason !== "completed") return { id, status: "failed", text: errorMessage ?? (said || reason) };
    const faults = wanted ? faultsOf(wanted, said) : [];
    if (faults.length === 0) return { id, status: "completed", text: said };
    if (tries + 1 >= TRIES)
      return { id, status: "failed", text: `${said}\n\nDoes not fit the schema: ${faults.join("; ")}` };
    prompt = `Your answer does not fit the schema: ${faults.join("; ")}. Answer again, with the JSON and nothing else.`;
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

function faultsOf(wanted: GateSchema, said: string): string[] {
  const json = /```(?:json)?\s*([\s\S]*?)```/.exec(said)?.[1] ?? said;
  try {
    return answerFaults(wanted, JSON.parse(json)).map(
      ({ path, message }) => `${path.replace("/answer", "") || "/"} ${message}`,
    );
  } catch {
    return ["it is not JSON"];
  }
}

function schemaInstruction(wanted: GateSchema): string {
  return `Your last message must be JSON that fits this schema, and nothing else:\n${JSON.stringify(wanted)}`;
}

async function inLanes<Work, Result>(
  works: Work[],
  lanes: number,
  run: (work: Work) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    while (next < works.length) {
      const at = next++;
      results[at] = await run(works[at] as Work);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, works.length) }, lane));
  return results;
}

function report(outcomes: Outcome[]): ToolOutput {
  const text = outcomes
    .map(({ id, status, text: said, notes }) => [`## ${id} (${status})`, short(said, id), ...notes].join("\n"))
    .join("\n\n");
  return {
    content: [{ type: "text", text }],
    details: { tasks: outcomes.map(({ id, status }) => ({ id, status })) },
    ...(outcomes.every(({ status }) => status !== "completed") ? { isError: true } : {}),
  };
}

function short(text: string, id: string): string {
  const lines = text.split("\n");
  const cut = lines.slice(0, MAX_LINES).join("\n").slice(0, MAX_BYTES);
  return cut.length === text.length ? text : `${cut}\n[cut; all of it is at agent://${id}]`;
}
