import {
  compact,
  count,
  type Fields,
  fields,
  firstLine,
  nonBlank,
  number,
  ownValue,
  text,
  texts,
} from "../../fields.ts";
import { toFailure } from "../failures.ts";
import { rungOf } from "../modes.ts";
import { notice, raw } from "../outputs.ts";
import { quietFrames, rawFrames } from "./frames.ts";
import { backgroundTasksChanged, taskEnded, taskProgress, taskStarted } from "./messages/tasks.ts";
import { bareModelName, changeMode, readCommands, reportControls } from "./settings.ts";
import type { Pass } from "./state.ts";
import { beginTurn, takenUp } from "./turn.ts";

/** Frames of type `system`, by subtype. */
export function readSystem(pass: Pass, frame: Fields): void {
  const subtype = text(frame.subtype) ?? "";
  const handler = ownValue(handlers, subtype);
  if (handler) return handler(pass, frame);
  const name = `system/${subtype}`;
  if (Object.hasOwn(quietFrames, name)) return;
  pass.emit(raw(frame, ownValue(rawFrames, name) ?? "unknown system frame"));
}

const handlers: Record<string, (pass: Pass, frame: Fields) => void> = {
  init,
  status,
  api_retry: apiRetry,
  api_error: apiRetry,
  compact_boundary: reportCompaction,
  permission_denied: recordDenial,
  task_started: taskStarted,
  task_progress: taskProgress,
  task_updated: taskProgress,
  task_notification: taskEnded,
  background_tasks_changed: backgroundTasksChanged,
  commands_changed: (pass, frame) => readCommands(pass, frame.commands),
  model_fallback: fallback,
  model_refusal_fallback: fallback,
  model_consent_fallback: fallback,
  model_refusal_no_fallback: (pass, frame) => {
    const explanation = nonBlank(frame.content) ?? nonBlank(frame.api_refusal_explanation);
    pass.emit(
      notice(
        "refusal",
        "warning",
        explanation ?? `${nonBlank(frame.original_model) ?? "The model"} declined to answer.`,
      ),
    );
  },
  informational: (pass, frame) => emitNotice(pass, "agent", frame.content, frame.level),
  notification: (pass, frame) =>
    emitNotice(pass, "agent", frame.text, frame.priority === "immediate" ? "warning" : "info"),
  instruction_size_warning: (pass, frame) => emitNotice(pass, "agent", frame.content ?? frame.message, "warning"),
  hook_response: hookResponse,
};

/** Every turn starts with `init`. The first one names the conversation, later ones report changes. */
function init(pass: Pass, frame: Fields): void {
  const { state } = pass;
  const conversation = nonBlank(frame.session_id);
  const model = nonBlank(frame.model);
  const native = nonBlank(frame.permissionMode);
  const other = conversation !== undefined && conversation !== state.conversation;
  if (other || !state.model) {
    pass.emit(compact({ kind: "ready", handle: conversation, model, mode: rungOf(native), native }));
    state.mode = native ?? state.mode;
  } else if (model && state.model && bareModelName(model) !== bareModelName(state.model)) {
    pass.event("model.changed", { from: state.model, to: model });
  }
  state.ready = true;
  state.conversation = conversation ?? state.conversation;
  state.model = model ?? state.model;
  changeMode(pass, native);
  reportControls(pass, frame);
  const named = texts(frame.user_message_uuids);
  beginTurn(pass, named.length > 0 ? named : undefined);
  for (const uuid of named) takenUp(pass, uuid);
}

function status(pass: Pass, frame: Fields): void {
  changeMode(pass, nonBlank(frame.permissionMode));
  const state = nonBlank(frame.status);
  if (state) {
    // After the end of a turn it may be late; the next turn starts with another `init`.
    if (pass.state.turns === 0) beginTurn(pass);
    pass.emit({ kind: "activity", state });
  }
  if (frame.compact_result === "failed") emitNotice(pass, "compaction", frame.compact_error, "warning");
}

/** Handles `api_retry`, or `api_error` with the same data. */
function apiRetry(pass: Pass, frame: Fields): void {
  const error = fields(frame.error);
  const kind = text(frame.error);
  const status = number(frame.error_status) ?? number(error.status);
  const reason = nonBlank(error.formatted) ?? nonBlank(error.message) ?? describe(kind, status);
  const failure = toFailure(
    compact({ kind: kind === "unknown" && status === undefined ? "connection_failed" : kind, status, message: reason }),
  );
  const attempt = number(frame.attempt) ?? number(frame.retry_attempt);
  const max = number(frame.max_retries);
  const delayMs = number(frame.retry_delay_ms) ?? number(frame.retry_in_ms);
  pass.emit(compact({ kind: "retry", attempt, max, delayMs: delayMs && Math.round(delayMs), reason, failure }));
}

/** Without status and kind there was no response at all. */
function describe(kind: string | undefined, status: number | undefined): string {
  if (status === undefined) return "The connection to the provider broke or could not be made.";
  return `The provider answered ${status}${kind ? ` (${kind.replaceAll("_", " ")})` : ""}.`;
}

function reportCompaction(pass: Pass, frame: Fields): void {
  const meta = fields(frame.compact_metadata);
  const trigger = meta.trigger === "manual" ? "manual" : meta.trigger === "auto" ? "auto" : undefined;
  const before = number(meta.pre_tokens) === undefined ? undefined : count(meta.pre_tokens);
  const after = number(meta.post_tokens) === undefined ? undefined : count(meta.post_tokens);
  pass.event("context.compacted", compact({ trigger, before, after, inferred: false }));
  if (after !== undefined) pass.state.context = after;
}

/** A tool was denied without a request. Its result follows. */
function recordDenial(pass: Pass, frame: Fields): void {
  const id = nonBlank(frame.tool_use_id) ?? "";
  const tool = ownValue(pass.state.tools, id);
  if (tool) pass.state.tools = { ...pass.state.tools, [id]: { ...tool, denied: true } };
  const text = nonBlank(frame.message) ?? `${nonBlank(frame.tool_name) ?? "A tool"} was not allowed.`;
  pass.emit(notice("permission", "warning", firstLine(text, 500)));
}

function fallback(pass: Pass, frame: Fields): void {
  const to = nonBlank(frame.fallback_model);
  const local = frame.scope === "local";
  const reason = nonBlank(frame.content) ?? nonBlank(frame.trigger);
  if (!to || local) return emitNotice(pass, "model", frame.content, "info");
  const from = nonBlank(frame.original_model);
  pass.event("model.changed", compact({ from, to, reason }));
  pass.state.served = to;
}

function hookResponse(pass: Pass, frame: Fields): void {
  if (frame.outcome !== "error") return;
  const output = nonBlank(frame.stderr) ?? nonBlank(frame.output) ?? "";
  emitNotice(pass, "hook", `The hook ${nonBlank(frame.hook_name) ?? ""} failed. ${output}`.trim(), "warning");
}

function emitNotice(pass: Pass, kind: string, content: unknown, level: unknown): void {
  const text = nonBlank(content);
  if (!text) return;
  const severity = level === "error" ? "error" : level === "warning" || level === "warn" ? "warning" : "info";
  pass.emit(notice(kind, severity, text));
}
