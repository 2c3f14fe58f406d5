import type { Envelope } from "../events/envelope.ts";
import type { Task } from "../tasks/schema.ts";
import type { SessionView } from "./types.ts";

/** The number of ended tasks that a view holds. */
const MOST_ENDED = 10;

/** The tasks that run now, oldest first. */
export function runningTasks(view: Pick<SessionView, "tasks">): Task[] {
  return view.tasks?.filter(({ status }) => status === "running") ?? [];
}

/** All tasks of the view for a list: those that run, then the ended ones, newest first. */
export function listTasks(view: Pick<SessionView, "tasks">): Task[] {
  const ended = view.tasks?.filter(({ status }) => status !== "running") ?? [];
  return [...runningTasks(view), ...ended.toReversed()];
}

type TaskEvent = Envelope<"task.started"> | Envelope<"task.updated"> | Envelope<"task.ended">;

export function isTaskEvent(event: Envelope): event is TaskEvent {
  return event.type === "task.started" || event.type === "task.updated" || event.type === "task.ended";
}

/** The view's tasks after a `task.*` event. Ended tasks keep the order of their ends. */
export function changeTasks(view: Pick<SessionView, "tasks">, event: TaskEvent): { tasks: Task[] } {
  const { tasks = [] } = view;
  const { task } = event.data;
  if (event.type === "task.started") {
    const started: Task = { ...event.data, status: "running", startedAt: event.at };
    return { tasks: [...tasks.filter((entry) => entry.task !== task), started] };
  }
  const known = tasks.find((entry) => entry.task === task);
  if (!known) return { tasks };
  if (event.type === "task.updated") {
    const { stopping: wasStopping, stoppingSince = event.at, ...rest } = known;
    const { stopping = wasStopping, ...changes } = event.data;
    const changed: Task = { ...rest, ...changes, ...(stopping ? { stopping, stoppingSince } : {}) };
    return { tasks: tasks.map((entry) => (entry === known ? changed : entry)) };
  }
  const { stopping: _, stoppingSince: __, activity: ___, ...rest } = known;
  const ended: Task = { ...rest, ...event.data, endedAt: event.at };
  const others = tasks.filter((entry) => entry !== known);
  const surplus = others.filter(({ status }) => status !== "running").length + 1 - MOST_ENDED;
  const oldest = surplus > 0 ? others.find(({ status }) => status !== "running") : undefined;
  return { tasks: [...others.filter((entry) => entry !== oldest), ended] };
}
