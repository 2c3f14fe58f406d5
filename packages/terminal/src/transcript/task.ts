import type { Envelope, Task } from "@gantry/protocol";
import { formatDuration } from "../text/figures.ts";
import { firstLine } from "../text/names.ts";
import type { Paint } from "../text/paint.ts";
import { stripControls } from "../text/width.ts";
import { type Entry, fitRows } from "./entry.ts";

type TaskEvent = Envelope<"task.started"> | Envelope<"task.updated"> | Envelope<"task.ended">;
type Shown = Pick<Task, "kind" | "title" | "startedAt">;

/** The background tasks of a session: a line when one starts, serves or ends, and what runs now. */
export class TaskLines {
  private readonly running = new Map<string, Shown>();

  /** `tasks`: those that started before the first event. */
  constructor(tasks: readonly Task[] = []) {
    for (const task of tasks) if (task.status === "running") this.running.set(task.task, task);
  }

  event(event: TaskEvent): Entry[] {
    const { task } = event.data;
    if (event.type === "task.started") {
      this.running.set(task, { ...event.data, startedAt: event.at });
      // `subagent.started` has a line already.
      if (event.data.kind === "subagent") return [];
      const title = titleOf(event.data);
      return [taskEntry((paint) => `${paint.cyan("↻")} ${title} ${paint.dim("runs in the background")}`)];
    }
    const known = this.running.get(task);
    if (!known) return [];
    if (event.type === "task.updated") {
      const { title = known.title, kind = known.kind, url } = event.data;
      this.running.set(task, { ...known, title, kind });
      const line = (paint: Paint) => `${paint.cyan("↻")} ${titleOf({ title })} ${paint.dim("serves")}`;
      return url ? [taskEntry((paint) => `${line(paint)} ${stripControls(url)}`)] : [];
    }
    this.running.delete(task);
    return [taskEntry((paint) => taskEndLine({ ...known, ...event.data }, paint))];
  }

  /** The running tasks in one line; empty without any. */
  status(paint: Paint, now: number): string {
    const [first, ...others] = this.running.values();
    if (!first) return "";
    const more = others.length > 0 ? ` (+${others.length} more)` : "";
    const elapsed = paint.dim(formatDuration(Math.max(0, now - Date.parse(first.startedAt))));
    return `in the background: ${titleOf(first)}${more} ${elapsed}`;
  }
}

function taskEntry(line: (paint: Paint) => string): Entry {
  return { kind: "tool", rows: (frame) => fitRows([line(frame.paint)], frame) };
}

function taskEndLine(task: Pick<Task, "title" | "status" | "reason" | "exitCode">, paint: Paint): string {
  const title = titleOf(task);
  const reason = task.reason ? `: ${stripControls(task.reason)}` : "";
  if (task.status === "ok") return `${paint.green("✓")} ${title} ${paint.dim("has ended")}`;
  if (task.status === "stopped") return `${paint.yellow("■")} ${title} ${paint.dim(`was stopped${reason}`)}`;
  const code = task.exitCode === undefined ? "" : ` with exit code ${task.exitCode}`;
  const how = task.status === "error" ? `failed${code}` : `has ended, with an unknown result${reason}`;
  return `${paint.red("✗")} ${title} ${paint.dim(how)}`;
}

function titleOf({ title }: { title: string }): string {
  return firstLine(stripControls(title));
}
