import type { Failure, FileChange } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, number, ownValue, text } from "../../fields.ts";
import { endTool, startTool, toolInput, toolProgress } from "../../json-lines/calls.ts";
import type { DecoderState, Pass } from "../../json-lines/pass.ts";
import { diffChange } from "../../json-lines/reading/changes.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { completeText, nextText, streamText } from "../../json-lines/texts.ts";
import { beginTurn, failTurn, finishTurn, reportPrompt, reportReady, reportRetry } from "../../json-lines/turns.ts";

/** `trouble` is the last failed model call, which a retry may overcome. */
export type CopilotState = DecoderState & { trouble?: Failure; aborted?: boolean };

/** Ignored lines, with the reason. */
const quiet: Record<string, string> = {
  "session.skills_loaded": "Copilot's own catalogue",
  "session.mcp_servers_loaded": "Copilot's own catalogue",
  "session.background_tasks_changed": "reported by the tools",
  "assistant.message_start": "reported by its pieces",
  "assistant.turn_end": "a request to the model, not a turn of the person",
  "model.call_start": "reported by its answer",
  "model.call_finished": "reported by its answer",
  "model.call_final_result": "reported by its answer",
  "agent.interrupted": "reported by abort",
  "tool.shell_output": "comes again with the partial result",
};

type Reader = (pass: Pass<CopilotState>, data: Fields, line: Fields) => void;

const readers: Record<string, Reader> = {
  "session.tools_updated": (pass, data) => reportReady(pass, { model: nonBlank(data.model) }),
  "user.message": (pass, data) => reportPrompt(pass, text(data.content) ?? ""),
  "assistant.turn_start": (pass) => beginTurn(pass),
  "assistant.message_delta": (pass, data) =>
    streamText(pass, name(pass, data.messageId), "text", text(data.deltaContent) ?? ""),
  "assistant.reasoning_delta": (pass, data) =>
    streamText(pass, name(pass, data.reasoningId), "reasoning", text(data.deltaContent) ?? ""),
  "assistant.message": (pass, data) => completeText(pass, name(pass, data.messageId), "text", text(data.content) ?? ""),
  "assistant.reasoning": (pass, data) =>
    completeText(pass, name(pass, data.reasoningId), "reasoning", text(data.content) ?? ""),
  "assistant.tool_call_delta": (pass, data) =>
    toolInput(pass, text(data.toolCallId) ?? "", text(data.inputDelta) ?? ""),
  "tool.execution_start": (pass, data) =>
    startTool(pass, text(data.toolCallId) ?? "", { name: nonBlank(data.toolName) ?? "tool", input: data.arguments }),
  "tool.execution_partial_result": (pass, data) =>
    toolProgress(pass, text(data.toolCallId) ?? "", text(data.partialOutput) ?? ""),
  "tool.execution_complete": toolDone,
  "model.call_failure": recordFailure,
  "assistant.turn_retry": handleRetry,
  "session.info": info,
  "session.error": (pass, data) => {
    pass.state.failure = textFailure(text(data.message) ?? "", number(data.statusCode));
  },
  abort: (pass) => {
    pass.state.aborted = true;
  },
  "assistant.idle": (pass, data) => {
    if (data.aborted === true || pass.state.aborted) finishTurn(pass, { outcome: "interrupted" });
  },
  result,
};

export function line(pass: Pass<CopilotState>, received: Fields, frame: unknown): void {
  const type = text(received.type) ?? "";
  const reader = ownValue(readers, type);
  if (reader) return reader(pass, fields(received.data), received);
  if (!ownValue(quiet, type)) pass.raw(frame, "unknown line");
}

function name(pass: Pass, id: unknown): string {
  return nonBlank(id) ?? nextText(pass);
}

function toolDone(pass: Pass<CopilotState>, data: Fields): void {
  const result = fields(data.result);
  const output = text(result.content) ?? text(fields(data.error).message);
  const denied = fields(data.error).code === "denied";
  const exitCode = number(fields(data.shellExecution).exitCode);
  const failure = data.success === false || (exitCode ?? 0) !== 0;
  const status = denied ? "denied" : failure ? "error" : "ok";
  const changes = changesOf(list(data.fileEdits).map(fields), text(result.detailedContent) ?? "");
  endTool(pass, text(data.toolCallId) ?? "", compact({ status, output, exitCode, changes } as const));
}

function changesOf(edits: Fields[], diff: string): FileChange[] | undefined {
  const changes = edits.flatMap((edit) => {
    const path = nonBlank(edit.path);
    if (!path) return [];
    const kind = edit.kind === "create" ? "add" : edit.kind === "delete" ? "delete" : "update";
    return [(edits.length === 1 ? diffChange(path, diff, kind) : undefined) ?? ({ path, kind } as FileChange)];
  });
  return changes.length > 0 ? changes : undefined;
}

function recordFailure(pass: Pass<CopilotState>, data: Fields): void {
  pass.state.trouble = textFailure(text(data.errorMessage) ?? "", number(data.statusCode));
}

function handleRetry(pass: Pass<CopilotState>, data: Fields): void {
  const { trouble } = pass.state;
  reportRetry(pass, { reason: trouble?.message ?? text(data.reason) ?? "retry" }, trouble);
}

/** Other lines report `model_retry` and `file_created`. */
function info(pass: Pass<CopilotState>, data: Fields): void {
  const type = text(data.infoType) ?? "info";
  if (/^(model_retry|file_|cancellation)/.test(type)) return;
  pass.notice(type, "info", text(data.message) ?? "");
}

/** Handles the last line. Copilot counts requests, not tokens. */
function result(pass: Pass<CopilotState>, _: Fields, received: Fields): void {
  const { failure } = pass.state;
  reportReady(pass, { handle: nonBlank(received.sessionId) });
  const more = compact({ durationMs: number(fields(received.usage).sessionDurationMs) });
  if (failure) return failTurn(pass, failure, more);
  if (number(received.exitCode))
    return failTurn(pass, textFailure("Copilot ended with an error and gave no reason."), more);
  finishTurn(pass, { outcome: "completed", ...more });
}
