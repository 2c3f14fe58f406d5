import type { EventData, TaskEnd, TaskKind } from "@gantry/protocol";
import { itemId } from "../../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  firstLine,
  list,
  newestEntries,
  nonBlank,
  ownValue,
  taskId,
  text,
  withoutKey,
} from "../../../fields.ts";
import { notice } from "../../outputs.ts";
import type { Job, Pass } from "../state.ts";

type SubagentEnd = EventData<"subagent.ended">["status"];

const RUNNING = 50;
const JOBS = 200;
const LINE = 200;

/**
 * Claude reports subagents and long shell commands as tasks. A task that runs in the background can outlive its turn and
 * is a task of the session. The others are reported by their tool call only.
 */
export function taskStarted(pass: Pass, frame: Fields): void {
  const id = nonBlank(frame.task_id);
  // Claude's own housekeeping has no end that a person waits for.
  if (!id || frame.ambient === true) return;
  // The list that names a task comes before its start.
  const command = ownValue(pass.state.tools, nonBlank(frame.tool_use_id) ?? "")?.command;
  const job = compact({ ...readJob(frame), command, listed: pass.state.liveJobs?.includes(id) || undefined });
  pass.state.jobs = newestEntries({ ...pass.state.jobs, [id]: job }, JOBS);
  if (runsInBackground(frame)) moveToBackground(pass, id);
  if (isAgent(frame) && !ownValue(pass.state.subagents, id)) startSubagent(pass, id, frame);
}

function startSubagent(pass: Pass, id: string, frame: Fields): void {
  const tool = nonBlank(frame.tool_use_id) ?? "";
  const entry = { tool, background: frame.is_backgrounded === true };
  pass.state.subagents = newestEntries({ ...pass.state.subagents, [id]: entry }, RUNNING);
  const title = nonBlank(frame.description) ?? nonBlank(frame.subagent_type) ?? "Subagent";
  pass.event(
    "subagent.started",
    compact({ id, parent: tool ? itemId(tool) : undefined, type: nonBlank(frame.subagent_type), title }),
  );
}

/** Version 2.1.197 and older omit the type for some; a subagent always has a subagent type. */
function isAgent(frame: Fields): boolean {
  return (
    frame.task_type === "local_agent" ||
    frame.task_type === "remote_agent" ||
    nonBlank(frame.subagent_type) !== undefined
  );
}

/** Only commands and subagents can also run in the foreground; older versions do not report where they run. */
function runsInBackground(frame: Fields): boolean {
  const type = nonBlank(frame.task_type) ?? "local_bash";
  return frame.is_backgrounded === true || (type !== "local_bash" && type !== "local_agent");
}

function readJob(frame: Fields): Job {
  const kind: TaskKind =
    frame.task_type === "in_process_teammate"
      ? "teammate"
      : isAgent(frame) || frame.task_type === "local_workflow"
        ? "subagent"
        : "command";
  const title = nonBlank(frame.description) ?? nonBlank(frame.subagent_type) ?? "Background task";
  return compact({
    kind,
    title: firstLine(title, LINE),
    tool: nonBlank(frame.tool_use_id),
    parent: nonBlank(frame.parent_task_id),
  });
}

/** The task no longer blocks its tool call. */
function moveToBackground(pass: Pass, id: string): void {
  const job = ownValue(pass.state.jobs ?? {}, id);
  if (!job || job.background) return;
  changeJob(pass, id, { ...job, background: true });
  const { kind, title, command, tool, parent } = job;
  const item = tool ? itemId(tool) : undefined;
  pass.event(
    "task.started",
    compact({ task: taskId(id), kind, title, command, item, parent: parent && taskId(parent) }),
  );
}

function changeJob(pass: Pass, id: string, job: Job): void {
  pass.state.jobs = { ...pass.state.jobs, [id]: job };
}

/** `task_progress`, or `task_updated` with a patch. */
export function taskProgress(pass: Pass, frame: Fields): void {
  const id = nonBlank(frame.task_id) ?? "";
  const patch = fields(frame.patch);
  const status = nonBlank(patch.status);
  if (patch.is_backgrounded === true) moveToBackground(pass, id);
  const job = ownValue(pass.state.jobs ?? {}, id);
  if (job && status) changeJob(pass, id, { ...job, status });
  // The notification that follows reports the end, with a summary.
  if (status) return;
  const { description, last_tool_name, usage, summary } = frame;
  const activity = nonBlank(summary) ?? nonBlank(description);
  if (job?.background && activity)
    pass.event("task.updated", { task: taskId(id), activity: firstLine(activity, LINE) });
  if (!ownValue(pass.state.subagents, id)) return;
  const progress = compact({ description, tool: last_tool_name, usage, summary, patch: frame.patch });
  pass.event("subagent.updated", { id, progress });
}

export function taskEnded(pass: Pass, frame: Fields): void {
  const id = nonBlank(frame.task_id) ?? "";
  const status = text(frame.status);
  const summary = nonBlank(frame.summary);
  endSubagent(pass, id, subagentEndOf(status), summary);
  const lost = frame.reason === "worker_restart" ? "Claude Code restarted, and the task ended with it" : undefined;
  endJob(pass, id, compact({ status: lost ? "lost" : taskEndOf(status), summary, reason: lost }), frame);
}

/** Every live background task, as a list that replaces the last one. */
export function backgroundTasksChanged(pass: Pass, frame: Fields): void {
  const live = new Set(list(frame.tasks).flatMap((entry) => nonBlank(fields(entry).task_id) ?? []));
  pass.state.liveJobs = [...live].slice(0, JOBS);
  for (const [id, job] of Object.entries(pass.state.jobs ?? {})) {
    if (live.has(id)) {
      if (!job.background) moveToBackground(pass, id);
      changeJob(pass, id, { ...job, background: true, listed: true });
    } else if (job.listed) {
      const status = job.status ? taskEndOf(job.status) : "lost";
      endSubagent(pass, id, subagentEndOf(job.status), undefined);
      endJob(pass, id, { status, ...(job.status ? {} : { reason: "Claude Code no longer lists it" }) }, {});
    }
  }
}

/** Our request to stop a task was answered. Newer versions report the end before the response. */
export function stopAnswered(pass: Pass, id: string, error: string | undefined): void {
  const job = ownValue(pass.state.jobs ?? {}, id);
  if (!job?.background) return;
  if (error === undefined) {
    endSubagent(pass, id, "interrupted", undefined);
    return endJob(pass, id, { status: "stopped" }, {});
  }
  pass.event("task.updated", { task: taskId(id), stopping: false });
  pass.emit(notice("task", "warning", `Claude Code did not stop "${job.title}": ${error}`));
}

/** The native id of a task of the session. */
export function nativeTask(jobs: Record<string, Job> | undefined, task: string): string {
  return Object.keys(jobs ?? {}).find((id) => taskId(id) === task) ?? task;
}

/**
 * The tool call of a subagent or command returned. That ends a subagent in the foreground if nothing else did, and shows
 * for older versions that a task runs in the background.
 */
export function taskReturned(
  pass: Pass,
  tool: string,
  status: EventData<"tool.ended">["status"],
  result: unknown,
): void {
  const { status: outcome, backgroundTaskId } = fields(result);
  const background = nonBlank(backgroundTaskId);
  if (background) return moveToBackground(pass, background);
  if (outcome === "async_launched") {
    const launched = Object.entries(pass.state.jobs ?? {}).find(([, job]) => job.tool === tool);
    return launched && moveToBackground(pass, launched[0]);
  }
  const found = Object.entries(pass.state.subagents).find(([, entry]) => entry.tool === tool && !entry.background);
  if (!found) return;
  endSubagent(pass, found[0], status === "ok" ? "ok" : status === "error" ? "error" : "interrupted", undefined);
}

function endSubagent(pass: Pass, id: string, status: SubagentEnd, summary: string | undefined): void {
  const running = ownValue(pass.state.subagents, id);
  if (!running) return;
  pass.state.messages = withoutKey(pass.state.messages, running.tool || id);
  pass.state.subagents = withoutKey(pass.state.subagents, id);
  pass.event("subagent.ended", compact({ id, status, summary }));
}

type JobEnd = { status: TaskEnd; summary?: string; reason?: string };

function endJob(pass: Pass, id: string, end: JobEnd, frame: Fields): void {
  const job = ownValue(pass.state.jobs ?? {}, id);
  pass.state.jobs = withoutKey(pass.state.jobs ?? {}, id);
  if (!job?.background) return;
  const [, code] = /exit code (\d+)/.exec(end.summary ?? "") ?? [];
  pass.event(
    "task.ended",
    compact({
      task: taskId(id),
      ...end,
      summary: end.summary && firstLine(end.summary, LINE),
      exitCode: job.kind === "command" && code !== undefined ? Number(code) : undefined,
      file: nonBlank(frame.output_file),
    }),
  );
}

function subagentEndOf(status: string | undefined): SubagentEnd {
  if (status === "completed") return "ok";
  return status === "failed" ? "error" : "interrupted";
}

function taskEndOf(status: string | undefined): TaskEnd {
  if (status === "completed") return "ok";
  return status === "failed" ? "error" : "stopped";
}
