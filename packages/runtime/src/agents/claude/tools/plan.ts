import type { EventData } from "@gantry/protocol";
import { type Fields, fields, list, nonBlank } from "../../fields.ts";

export type PlanEntry = EventData<"plan.updated">["entries"][number];

/** A task of Claude's list, from `TaskCreate`, `TaskUpdate` and `TaskList`. */
export type PlanTask = { id: string; text: string; status: PlanEntry["status"] };

const LIMIT = 100;
const TITLE = 300;

/** The entries of `TodoWrite`, always the complete list. */
export function readTodos(value: unknown): PlanEntry[] {
  return list(value)
    .slice(0, LIMIT)
    .flatMap((entry) => {
      const todo = fields(entry);
      const text = nonBlank(todo.content) ?? nonBlank(todo.subject);
      return text ? [{ text: text.slice(0, TITLE), status: status(todo.status) }] : [];
    });
}

/** The list after a task tool; `undefined` if nothing changed. */
export function changeTasks(
  tasks: readonly PlanTask[],
  name: string,
  input: Fields,
  result: Fields,
): PlanTask[] | undefined {
  if (name === "TaskCreate") {
    const id = nonBlank(fields(result.task).id);
    const text = nonBlank(fields(result.task).subject) ?? nonBlank(input.subject);
    if (!id || !text) return undefined;
    const task: PlanTask = { id, text: text.slice(0, TITLE), status: "pending" };
    return [...tasks.filter((entry) => entry.id !== id), task].slice(-LIMIT);
  }
  if (name === "TaskUpdate") return updateTask(tasks, input);
  if (name !== "TaskList" || !Array.isArray(result.tasks)) return undefined;
  return result.tasks.slice(0, LIMIT).flatMap((entry) => {
    const task = fields(entry);
    const id = nonBlank(task.id);
    return id ? [{ id, text: (nonBlank(task.subject) ?? id).slice(0, TITLE), status: status(task.status) }] : [];
  });
}

function updateTask(tasks: readonly PlanTask[], input: Fields): PlanTask[] | undefined {
  const id = nonBlank(input.taskId);
  if (!id || !tasks.some((task) => task.id === id)) return undefined;
  if (input.status === "deleted") return tasks.filter((task) => task.id !== id);
  return tasks.map((task) => {
    if (task.id !== id) return task;
    const text = nonBlank(input.subject)?.slice(0, TITLE) ?? task.text;
    return { id, text, status: input.status === undefined ? task.status : status(input.status) };
  });
}

function status(value: unknown): PlanEntry["status"] {
  return value === "in_progress" || value === "completed" ? value : "pending";
}
