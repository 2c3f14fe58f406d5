import { GantryError, listTasks, runningTasks, type SessionView, type Task } from "@gantry/protocol";
import type { Deadline } from "../state.ts";
import type { SessionStep } from "../step.ts";
import { closeContents } from "./contents.ts";
import { findRunning } from "./tasks.ts";

/**
 * Asks the agent to stop a task, or ends the process of a task that the agent does not watch. Harmless for a task that has
 * ended. Throws `no_such_task` or `unsupported`.
 */
export function stopTask(step: SessionStep, task: string): Task {
  const find = () => listTasks(step.view).find((entry) => entry.task === task);
  const known = find();
  if (!known) {
    const remedy = "`gantry tasks` lists the tasks of a session.";
    throw new GantryError("no_such_task", `The session has no task ${task}.`, { remedy });
  }
  if (known.status !== "running") return known;
  if (known.pid !== undefined) step.effect({ type: "endTask", task });
  else if (step.sendCommand({ type: "stopTask", task }) === "unsupported") {
    const message = `${step.context.agent.name} cannot stop a single task.`;
    const remedy = "`gantry close` ends the agent's process with all of its tasks; the session stays.";
    throw new GantryError("unsupported", message, { remedy });
  }
  if (!known.stopping) step.emit("task.updated", { task, stopping: true });
  return find() ?? known;
}

/**
 * The deadline of the tasks that were asked to stop. It derives from the log, so a restart keeps it. `passed`: it has
 * passed in this step, and the tasks that are overdue get another period.
 */
export function taskStopDeadline(
  view: SessionView,
  seconds: number,
  { now, current, passed }: { now: number; current: Deadline | undefined; passed: boolean },
): Deadline | undefined {
  const ms = seconds * 1000;
  const times = runningTasks(view).flatMap(({ stoppingSince: since }) => (since ? [Date.parse(since) + ms] : []));
  if (times.length === 0) return undefined;
  const overdue = times.filter((time) => time <= now);
  // A later time in `current` is the other period of overdue tasks.
  const retry = passed ? now + ms : Math.max(current?.at ?? 0, ...overdue);
  const at = Math.min(...times.filter((time) => time > now), ...(overdue.length > 0 ? [retry] : []));
  return { at, seconds };
}

export function endOverdueTasks(step: SessionStep, { at, seconds }: Deadline): void {
  step.signals.taskOverdue = true;
  for (const { task, stoppingSince } of runningTasks(step.view)) {
    if (stoppingSince && Date.parse(stoppingSince) + seconds * 1000 <= at) step.effect({ type: "endTask", task });
  }
}

/** Gantry ended the processes of a task, because it ignored the request to stop, or because only Gantry can stop it. */
export function taskKilled(step: SessionStep, task: string): void {
  const running = findRunning(step.view, task);
  if (!running) return;
  const reason = running.pid === undefined ? "it did not stop when asked, so Gantry ended its processes" : undefined;
  endHere(step, running, { status: "stopped", ...(reason ? { reason } : {}) });
}

/** The task did not stop in time, and Gantry does not know its processes: it still runs. */
export function taskNotStopped(step: SessionStep, task: string): void {
  const running = findRunning(step.view, task);
  if (!running?.stopping) return;
  step.emit("task.updated", { task, stopping: false });
  const { name } = step.context.agent;
  const text = `"${running.title}" did not stop and still runs. Stop it again, or end ${name}'s process with all of its tasks by closing the session; the session stays.`;
  step.emit("notice", { kind: "task", severity: "warning", text });
}

/** The process of a task has ended, and the agent does not report that. */
export function taskProcessEnded(step: SessionStep, task: string): void {
  const running = findRunning(step.view, task);
  if (!running) return;
  if (running.stopping) return endHere(step, running, { status: "stopped" });
  const reason = `its process has ended; ${step.context.agent.name} does not report the result`;
  endHere(step, running, { status: "lost", reason });
}

/** A command of a task listens on a port. */
export function taskServes(step: SessionStep, { task, url }: { task: string; url: string }): void {
  if (findRunning(step.view, task)?.kind === "command") step.emit("task.updated", { task, kind: "server", url });
}

function endHere(step: SessionStep, { task }: Task, end: { status: "stopped" | "lost"; reason?: string }): void {
  closeContents(step, task);
  step.emit("task.ended", { task, ...end }, { synthetic: true });
}
