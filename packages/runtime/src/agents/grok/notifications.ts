import type { TaskEnd } from "@gantry/protocol";
import type { Dialect, Extension } from "../acp/dialect.ts";
import { textFailure } from "../acp/failures.ts";
import { event, raw } from "../acp/outputs.ts";
import type { State } from "../acp/state.ts";
import { beginTurn } from "../acp/turns/begin.ts";
import { endTurn, releaseEnd } from "../acp/turns/finish.ts";
import { handleUsage } from "../acp/updates/session-info.ts";
import { isForeign } from "../acp/updates/updates.ts";
import { itemId, type Output, type Step } from "../contract.ts";
import { compact, type Fields, fields, firstLine, nonBlank, taskId, text, wholeNumber } from "../fields.ts";
import { runSteps } from "../steps.ts";
import { askUserQuestion, exitPlanMode } from "./inputs.ts";

type Handler = (dialect: Dialect, state: State, update: Fields) => Step<State>;

/** Updates of a session that are outside the protocol. */
const updates: Record<string, Handler> = {
  retry_state: handleRetry,
  response_completed: handleResponse,
  turn_completed: handleTurnCompleted,
  subagent_spawned: handleSubagentSpawned,
  subagent_finished: handleSubagentFinished,
  task_backgrounded: handleTaskBackgrounded,
  task_completed: handleTaskCompleted,
};

/** Updates for Grok's own interface, or that repeat what the protocol reports. */
const quietUpdates = [
  ...["pending_interaction", "interaction_resolved", "tool_call_delta_chunk", "background_tasks", "subagent_progress"],
  ...["session_summary_generated", "last_turn_summary", "session_status", "session_recap", "session_recap_unavailable"],
  ...["hook_run_started", "hook_execution", "hook_annotation", "hooks_changed", "plugins_changed"],
  ...["plugin_updates_installed", "model_changed", "model_auto_switched", "compaction_checkpoint", "rewind_marker"],
  ...["auto_compact_started", "auto_compact_completed", "auto_compact_failed", "diff_review", "goal_updated"],
  ...["memory_dream_queued", "memory_dream_started", "memory_dream_completed", "memory_session_saved"],
  ...["scheduled_task_created", "scheduled_task_fired", "scheduled_task_deleted", "monitor_event", "workflow_updated"],
  ...["auto_recovery_started", "auto_recovery_exhausted", "relay_sync_status", "feedback_request", "image_dropped"],
];

/** Sessions of older subagents are forgotten. */
const MAX_CHILDREN = 100;

/** Grok's methods. `dialect` is read when a frame is decoded. */
export function extensions(dialect: () => Dialect): Readonly<Record<string, Extension>> {
  const update: Extension = { notify: (state, params) => handleUpdate(dialect(), state, params) };
  const inputs = {
    "x.ai/exit_plan_mode": { ask: exitPlanMode },
    "x.ai/ask_user_question": { ask: askUserQuestion },
  };
  const notified = {
    "x.ai/session_notification": update,
    "x.ai/task_backgrounded": update,
    "x.ai/task_completed": update,
    "x.ai/queue/changed": { notify: (state: State, params: Fields) => handleQueue(dialect(), state, params) },
  };
  const all = Object.entries({ ...inputs, ...notified });
  // The prefix marks a method outside the protocol; older versions omit it.
  return Object.fromEntries(all.flatMap(([name, extension]) => [[name, extension] as const, [`_${name}`, extension]]));
}

function handleUpdate(dialect: Dialect, state: State, params: Fields): Step<State> {
  const update = fields(params.update);
  const kind = text(update.sessionUpdate) ?? "";
  // A subagent has a separate session; its parent's updates report it.
  if (isForeign(state, text(params.sessionId)) || state.replaying) return [state, []];
  const handler = Object.hasOwn(updates, kind) ? updates[kind] : undefined;
  if (handler) return handler(dialect, state, update);
  return [state, quietUpdates.includes(kind) ? [] : [raw(params, "unknown kind of update")]];
}

function handleRetry(dialect: Dialect, state: State, update: Fields): Step<State> {
  const reason = nonBlank(update.reason);
  if (update.type !== "retrying" || !reason) return [state, []];
  const { attempt, max_retries } = update;
  const retry = { kind: "retry", attempt: wholeNumber(attempt), max: wholeNumber(max_retries), reason } as const;
  return [state, [compact({ ...retry, failure: textFailure(dialect, reason) })]];
}

/** The output includes the tokens of the reasoning. */
const COUNTS = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"];

/** The tokens of one request to the model: together they fill the context. */
function handleResponse(_: Dialect, state: State, update: Fields): Step<State> {
  const usage = fields(update.usage);
  const used = COUNTS.reduce((sum, name) => sum + (wholeNumber(usage[name]) ?? 0), 0);
  return handleUsage(state, { used, size: state.window });
}

/** Grok starts a turn itself when background work has ended. Such a turn has no prompt of ours. */
function handleQueue(dialect: Dialect, state: State, params: Fields): Step<State> {
  const running = nonBlank(params.runningPromptId);
  if (!running || !state.both || state.replaying || isForeign(state, text(params.sessionId))) return [state, []];
  return runSteps(
    state,
    (current) => releaseEnd(dialect, current),
    (current) => {
      const ours = current.turn !== undefined || current.prompts.length > 0;
      return ours ? [current, []] : beginTurn({ ...current, own: { ...current.own, wake: running } }, undefined);
    },
  );
}

function handleTurnCompleted(dialect: Dialect, state: State, update: Fields): Step<State> {
  const { wake, ...own } = state.own ?? {};
  if (wake === undefined || (update.prompt_id ?? wake) !== wake) return [state, []];
  return endTurn(dialect, { ...state, own }, { result: { stopReason: update.stop_reason, usage: update.usage } });
}

/** Subagents run in the background unless Grok waits for them; their call has ended by then. */
function handleSubagentSpawned(_: Dialect, state: State, update: Fields): Step<State> {
  const id = nonBlank(update.subagent_id);
  if (!id) return [state, []];
  const tool = Object.entries(state.tools).findLast(([, { name }]) => name === "spawn_subagent")?.[0];
  const item = tool === undefined ? undefined : itemId(tool);
  const title = firstLine(nonBlank(update.description) ?? "Subagent");
  const outputs: Output[] = [
    event("task.started", compact({ task: taskId(id), kind: "subagent", title, item } as const)),
    event(
      "subagent.started",
      compact({
        id: taskId(id),
        parent: item,
        type: nonBlank(update.subagent_type),
        title,
        model: nonBlank(update.model),
      }),
    ),
  ];
  const child = nonBlank(update.child_session_id);
  // The updates of its session are not shown, and need no notice.
  return [child ? { ...state, foreign: [...state.foreign, child].slice(-MAX_CHILDREN) } : state, outputs];
}

function handleSubagentFinished(_: Dialect, state: State, update: Fields): Step<State> {
  const id = nonBlank(update.subagent_id);
  if (!id) return [state, []];
  const ok = update.status === "completed";
  const stopped = /cancel|stop|kill/.test(text(update.status) ?? "");
  const summary = nonBlank(update.output)?.slice(0, 4000) ?? nonBlank(update.error)?.slice(0, 4000);
  const ended: TaskEnd = ok ? "ok" : stopped ? "stopped" : "error";
  return [
    state,
    [
      event(
        "subagent.ended",
        compact({ id: taskId(id), status: ok ? "ok" : stopped ? "interrupted" : "error", summary } as const),
      ),
      event("task.ended", compact({ task: taskId(id), status: ended, summary })),
    ],
  ];
}

function handleTaskBackgrounded(_: Dialect, state: State, update: Fields): Step<State> {
  const id = nonBlank(update.task_id);
  if (!id) return [state, []];
  const tool = nonBlank(update.tool_call_id);
  const title = firstLine(nonBlank(update.description) ?? nonBlank(update.command) ?? "Background command");
  const item = tool && itemId(tool);
  return [state, [event("task.started", compact({ task: taskId(id), kind: "command", title, item } as const))]];
}

function handleTaskCompleted(_: Dialect, state: State, update: Fields): Step<State> {
  const task = fields(update.task_snapshot);
  const id = nonBlank(task.task_id);
  if (!id) return [state, []];
  const exitCode = wholeNumber(task.exit_code);
  const stopped = task.explicitly_killed === true || nonBlank(task.signal) !== undefined;
  const status: TaskEnd = stopped ? "stopped" : exitCode === undefined || exitCode === 0 ? "ok" : "error";
  return [state, [event("task.ended", compact({ task: taskId(id), status, exitCode }))]];
}
