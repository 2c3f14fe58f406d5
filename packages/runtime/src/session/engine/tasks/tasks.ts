import { type Draft, runningTasks, type SessionView, type Task } from "@gantry/protocol";
import type { SessionStep } from "../step.ts";
import { closeContents } from "./contents.ts";

/*
 * Law 3 for background work. A task runs until the agent reports its end or the agent's process ends, whatever happens to
 * the turn. The same holds for what is part of a task: tools, subagents and inputs.
 */

/** A repeated start of a running task changes nothing but its title. */
export function startTask(step: SessionStep, event: Draft<"task.started">): void {
  const { task, title } = event.data;
  const running = findRunning(step.view, task);
  if (!running) return step.emit("task.started", event.data);
  if (running.title !== title) step.emit("task.updated", { task, title });
}

/** Drops an update that changes nothing. */
export function updateTask(step: SessionStep, { data }: Draft<"task.updated">): void {
  const running = findRunning(step.view, data.task);
  if (!running) return;
  const changes = Object.entries(data).some(([key, value]) => running[key as keyof Task] !== value);
  if (changes) step.emit("task.updated", data);
}

/** The agent reports the end. What is still open in the task ends with it. */
export function endTask(step: SessionStep, { data }: Draft<"task.ended">): void {
  if (!findRunning(step.view, data.task)) return;
  closeContents(step, data.task);
  step.emit("task.ended", data);
}

/** The process that ran the tasks has ended, and with it every task that the agent did not end before. */
export function loseTasks(step: SessionStep, reason: string): void {
  // A task may have started inside another one.
  for (const { task } of runningTasks(step.view).toReversed()) {
    closeContents(step, task);
    step.emit("task.ended", { task, status: "lost", reason }, { synthetic: true });
  }
}

/** The task, if it runs. */
export function findRunning(view: SessionView, task: string): Task | undefined {
  return view.tasks?.find((entry) => entry.task === task && entry.status === "running");
}
