import { z } from "zod";
import type { TodoPhase, TodoTask } from "../../contract/events.ts";

export const todoOp = () =>
  z.object({
    op: z.enum(["init", "start", "done", "rm", "drop", "append", "note"]),
    list: z.array(z.object({ phase: z.string().min(1), items: z.array(z.string().min(1)) })).optional(),
    task: z.string().optional().describe("text of a task"),
    phase: z.string().optional(),
    items: z.array(z.string().min(1)).optional(),
    text: z.string().optional(),
  });
export type TodoOp = z.output<ReturnType<typeof todoOp>>;

/** The new list, or why an operation is not possible; then nothing is changed. */
export type TodoResult = { phases: TodoPhase[] } | { problem: string };

export function applyTodoOps(phases: readonly TodoPhase[], ops: readonly TodoOp[]): TodoResult {
  const next = structuredClone(phases) as TodoPhase[];
  let list = next;
  for (const [index, op] of ops.entries()) {
    const result = applyOp(list, op);
    if (typeof result === "string") return { problem: `Operation ${index + 1} (${op.op}): ${result}` };
    list = result;
  }
  return { phases: oneInProgress(list) };
}

function applyOp(phases: TodoPhase[], op: TodoOp): TodoPhase[] | string {
  if (op.op === "init") return init(op);
  if (op.op === "append") return append(phases, op);
  if (op.op === "note") return note(phases, op);
  if (op.op === "rm") return remove(phases, op);
  const tasks = selectTasks(phases, op);
  if (typeof tasks === "string") return tasks;
  if (op.op === "start") {
    if (tasks.length !== 1) return "name one task to start.";
    for (const other of allTasks(phases)) if (other.status === "in_progress") other.status = "pending";
    tasks[0]!.status = "in_progress";
    return phases;
  }
  const status = op.op === "done" ? "completed" : "abandoned";
  for (const task of tasks)
    if (task.status === "pending" || task.status === "in_progress" || op.task) task.status = status;
  return phases;
}

function init({ list }: TodoOp): TodoPhase[] | string {
  if (!list || list.length === 0) return "`list` is missing.";
  const items = list.flatMap((phase) => phase.items.map(key));
  const twice = items.find((item, index) => items.indexOf(item) !== index);
  if (twice) return `"${twice}" occurs twice in the list.`;
  return list.map(({ phase, items }) => ({ name: phase, tasks: items.map(makePending) }));
}

function append(phases: TodoPhase[], { phase, items }: TodoOp): TodoPhase[] | string {
  if (!items || items.length === 0) return "`items` is missing.";
  const known = new Set(allTasks(phases).map(({ content }) => key(content)));
  const twice = items.find((item) => known.has(key(item)));
  if (twice) return `"${twice}" is already in the list.`;
  const target = phase ? phases.find(({ name }) => key(name) === key(phase)) : phases.at(-1);
  if (target) target.tasks.push(...items.map(makePending));
  else phases.push({ name: phase ?? "Tasks", tasks: items.map(makePending) });
  return phases;
}

function note(phases: TodoPhase[], { task, text }: TodoOp): TodoPhase[] | string {
  if (!task || !text) return "`task` and `text` are needed.";
  const found = match(phases, task);
  if (typeof found === "string") return found;
  found.notes = [...(found.notes ?? []), text];
  return phases;
}

function remove(phases: TodoPhase[], op: TodoOp): TodoPhase[] | string {
  if (!op.task && !op.phase) return [];
  const tasks = selectTasks(phases, op);
  if (typeof tasks === "string") return tasks;
  const gone = new Set(tasks);
  return phases
    .map((phase) => ({ ...phase, tasks: phase.tasks.filter((task) => !gone.has(task)) }))
    .filter((phase) => phase.tasks.length > 0);
}

/** The matching tasks: one by its text, those of a phase, or all. */
function selectTasks(phases: TodoPhase[], { task, phase }: TodoOp): TodoTask[] | string {
  if (task) {
    const found = match(phases, task);
    return typeof found === "string" ? found : [found];
  }
  if (!phase) return allTasks(phases);
  return phases.find(({ name }) => key(name) === key(phase))?.tasks ?? `there is no phase "${phase}".`;
}

/** The task with the same text, ignoring spaces and case; else the only one that contains it. */
function match(phases: TodoPhase[], text: string): TodoTask | string {
  const tasks = allTasks(phases);
  const exact = tasks.find(({ content }) => key(content) === key(text));
  if (exact) return exact;
  const parts = tasks.filter(({ content }) => key(content).includes(key(text)));
  if (parts.length === 1) return parts[0]!;
  const names = (parts.length > 0 ? parts : tasks).map(({ content }) => `- ${content}`).join("\n");
  return `${parts.length > 0 ? "several tasks match" : "there is no task"} "${text}". ${parts.length > 0 ? "They" : "The tasks"} are:\n${names || "(none)"}`;
}

/** Exactly one task is in progress while any is open: the current one, else the first pending one. */
function oneInProgress(phases: TodoPhase[]): TodoPhase[] {
  const tasks = allTasks(phases);
  const [current, ...others] = tasks.filter(({ status }) => status === "in_progress");
  for (const other of others) other.status = "pending";
  const first = current ?? tasks.find(({ status }) => status === "pending");
  if (first) first.status = "in_progress";
  return phases;
}

function allTasks(phases: readonly TodoPhase[]): TodoTask[] {
  return phases.flatMap(({ tasks }) => tasks);
}

function makePending(content: string): TodoTask {
  return { content, status: "pending" };
}

function key(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}
