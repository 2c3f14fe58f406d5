import { compact, count, type Fields, fields, nonBlank, number, ownValue, withoutKey } from "../../fields.ts";
import type { Pass } from "../pass.ts";
import { textFailure } from "../reading/failures.ts";
import { failTurn, reportReady } from "../turns.ts";
import { finishLocalCommand, publishCommands } from "./commands.ts";
import { handleCompactResponse, handleStateWhileWaiting } from "./ending.ts";
import { addCost } from "./messages.ts";
import { modelId, readModels } from "./models.ts";
import type { PiState } from "./state.ts";

/**
 * Handles the response to a request. A response to any other id changes nothing and becomes `raw`, as does a second
 * response to a message. A recording without our side has responses only.
 */
export function handleResponse(pass: Pass<PiState>, line: Fields, frame: unknown): void {
  const { state } = pass;
  const id = nonBlank(line.id) ?? rejectedRequest(state, line);
  const pending = ownValue(state.requests ?? {}, id);
  const isUnknown = state.requests !== undefined && state.written > 0 && pending === undefined;
  if (isUnknown) return pass.raw(frame, `${line.success === false ? "an error" : "a response"} for an unknown request`);
  if (id) pass.emit({ kind: "ack", key: id });
  if (pending === "") return isMessage(id) ? pass.raw(frame, "a second response") : undefined;
  // A message that was accepted may still be rejected.
  const isFinal = !isMessage(id) || line.success === false;
  if (id && pending && isFinal) state.requests = { ...state.requests, [id]: "" };
  const data = fields(line.data);
  const error = line.success === false ? (nonBlank(line.error) ?? "The agent rejected the request.") : undefined;
  const sent = ownValue(state.sent, id);
  switch (line.command) {
    case "get_state":
      handleStateWhileWaiting(pass, data);
      return error ? undefined : handleState(pass, data);
    case "get_available_models":
      return publishModels(pass, data.models);
    case "get_commands":
      return error ? undefined : publishCommands(pass, data.commands);
    case "get_session_stats":
      return publishContext(pass, fields(data.contextUsage));
    case "prompt":
      if (sent?.field) return handleApplied(pass, id ?? "", data, error);
      if (data.agentInvoked === false || (sent?.local && data.agentInvoked !== true))
        return finishLocalCommand(pass, id);
      return error ? handleRejection(pass, id ?? "", error, frame) : undefined;
    case "steer":
    case "follow_up":
      return error ? handleRejection(pass, id ?? "", error, frame) : undefined;
    case "cancel_message":
      return handleRetracted(pass, id ?? "", data);
    case "clear_queue":
      return;
    case "set_model":
    case "set_mode":
    case "set_thinking_level":
      return handleApplied(pass, id ?? "", data, error);
    case "compact":
      if (id === undefined || id !== state.compaction) return; // The compaction events reported the result.
      addCost(pass, fields(data.usage));
      return handleCompactResponse(pass, data, error);
    default:
      if (error && !sent) pass.raw(frame, "an error for an unknown request");
  }
}

/** The error for a command that a version does not have names the command but not the request. */
function rejectedRequest({ requests = {} }: PiState, { id, command, success }: Fields): string | undefined {
  if (id !== undefined || success !== false) return undefined;
  return Object.keys(requests).find((key) => requests[key] !== "" && requests[key] === command);
}

/** Other requests are sent again after a crash, so that they may get two responses. */
function isMessage(id: string | undefined): boolean {
  return id?.startsWith("msg_") === true;
}

/** Handles the conversation state: the conversation is open. */
function handleState(pass: Pass<PiState>, data: Fields): void {
  const first = !pass.state.ready;
  const handle = resumableId(pass, nonBlank(data.sessionId));
  const model = modelId(fields(data.model));
  pass.state.ready = true;
  pass.state.window = number(fields(data.model).contextWindow) ?? pass.state.window;
  if (first && handle === pass.state.handle && model === pass.state.model)
    pass.emit(compact({ kind: "ready", handle, model }));
  reportReady(pass, { handle, model });
  publishContext(pass, fields(data.contextUsage));
}

/** The conversation's id, if it can be resumed by it. */
export function resumableId({ state }: Pass<PiState>, id: string | undefined): string | undefined {
  if (state.resumed || id === state.handle) return id;
  state.unsaved = id;
  return undefined;
}

function publishModels(pass: Pass<PiState>, value: unknown): void {
  const found = readModels(value);
  if (pass.state.ready && found.length > 0) pass.emit({ kind: "ready", models: found });
}

function publishContext(pass: Pass<PiState>, usage: Fields): void {
  if (number(usage.tokens) === undefined) return;
  const size = number(usage.contextWindow) === undefined ? undefined : count(usage.contextWindow);
  pass.event("context.usage", compact({ used: count(usage.tokens), size }));
}

/** Handles a rejected message. During a running turn it returns to the queue. The turn of the message may have ended. */
function handleRejection(pass: Pass<PiState>, id: string, error: string, frame: unknown): void {
  const { state } = pass;
  const sent = ownValue(state.sent, id);
  if (!sent && state.turn !== "running" && state.written > 0) return pass.raw(frame, "an error after the turn");
  state.sent = withoutKey(state.sent, id);
  if (state.turn === "running") {
    if (sent?.message) pass.emit({ kind: "dropped", message: sent.message, reason: error });
    return;
  }
  state.message = sent?.message;
  state.turn = "none";
  failTurn(pass, textFailure(error));
}

/** The agent answered whether it gave a message back. */
function handleRetracted(pass: Pass<PiState>, id: string, data: Fields): void {
  const { state } = pass;
  const message = ownValue(state.sent, id)?.value;
  const ok = data.cancelled === true;
  state.sent = withoutKey(state.sent, id);
  if (!message) return;
  if (ok) state.sent = withoutKey(state.sent, message);
  pass.emit({ kind: "retracted", message, ok });
}

function handleApplied(pass: Pass<PiState>, id: string, data: Fields, error: string | undefined): void {
  const { state } = pass;
  const sent = ownValue(state.sent, id);
  state.sent = withoutKey(state.sent, id);
  const { field, value = "" } = sent ?? {};
  if (!field) return;
  pass.emit(compact({ kind: "applied", field, value, ok: !error, message: error }));
  const model = field === "model" ? modelId(data) : undefined;
  if (model) state.window = number(data.contextWindow) ?? state.window;
  if (!model || model === state.model) return;
  pass.event("model.changed", compact({ from: state.model, to: model }));
  state.model = model;
}
