import { formatControls } from "@gantry/protocol";
import { compact, type Fields, fields, nonBlank, ownValue, text, withoutKey } from "../../fields.ts";
import { readModels } from "../models.ts";
import { rungOf } from "../modes.ts";
import { raw } from "../outputs.ts";
import { askElicitation, askTool, withdraw } from "./asks.ts";
import { reportContext } from "./context.ts";
import { rawFrames } from "./frames.ts";
import { stopAnswered } from "./messages/tasks.ts";
import { changeMode, readCommands, reportControls } from "./settings.ts";
import type { Pass, Request } from "./state.ts";
import { recordRetracted } from "./turn.ts";

/** Handles a control request. Every request gets a response eventually. */
export function readControlRequest(pass: Pass, frame: Fields): void {
  const id = nonBlank(frame.request_id);
  const request = fields(frame.request);
  const subtype = text(request.subtype) ?? "";
  if (!id) return pass.emit(raw(frame, "a control request without an id"));
  if (subtype === "can_use_tool") return askTool(pass, id, request);
  if (subtype === "elicitation") return askElicitation(pass, id, request);
  // Gantry registers no hooks, so it has nothing to add: continue.
  if (subtype === "hook_callback") return answer(pass, id, { subtype: "success", response: {} });
  pass.emit(raw(frame, ownValue(rawFrames, `control_request/${subtype}`) ?? "unknown control request"));
  if (subtype === "request_user_dialog") return;
  answer(pass, id, { subtype: "error", error: `The host does not know ${subtype || "this request"}.` });
}

function answer(pass: Pass, id: string, response: Fields): void {
  const msg = { type: "control_response", response: { ...response, request_id: id } };
  pass.emit({ kind: "send", frame: { msg, key: id, repeat: "safe" } });
}

/** Claude withdraws a request, for example after an interrupt. */
export function readControlCancel(pass: Pass, frame: Fields): void {
  const id = nonBlank(frame.request_id);
  if (id) withdraw(pass, id, "the agent took the question back");
}

/**
 * Handles a response to our request, or the replay of our answer, which confirms its delivery. Any other response, and
 * a second one, changes nothing and becomes `raw`.
 */
export function readControlResponse(pass: Pass, frame: Fields): void {
  const response = fields(frame.response);
  const id = nonBlank(response.request_id);
  if (!id) return pass.emit(raw(frame, "a control response without an id"));
  const request = ownValue(pass.state.requests, id);
  if (!request && !isReplay(pass, id)) return pass.emit(raw(frame, "a response to an unknown request"));
  pass.emit({ kind: "ack", key: id });
  if (!request) return;
  pass.state.requests = withoutKey(pass.state.requests, id);
  const error = response.subtype === "error" ? (nonBlank(response.error) ?? "The agent refused.") : undefined;
  if (request.what === "initialize") return handleInitialised(pass, fields(response.response));
  if (request.what === "stopTask") return stopAnswered(pass, request.value, error);
  if (request.what === "context") return reportContext(pass, fields(response.response), error);
  if (request.what === "retract")
    return recordRetracted(pass, request.value, fields(response.response).cancelled === true);
  if (request.what === "mode" || request.what === "model" || request.what === "effort") {
    reportApplied(pass, request, fields(response.response), error, text(response.error_code));
  }
}

/** Whether the response is our own answer. A recording without our side has responses only. */
function isReplay({ state }: Pass, id: string): boolean {
  if (!state.answered?.includes(id)) return state.written === 0;
  state.answered = state.answered.filter((other) => other !== id);
  return true;
}

/** The handshake is complete. A new conversation has no id before its first turn and cannot be resumed until then. */
function handleInitialised(pass: Pass, response: Fields): void {
  const { state } = pass;
  if (state.ready) return;
  state.ready = true;
  const reported = nonBlank(response.current_permission_mode);
  state.mode = reported ?? state.mode;
  state.conversation = state.resumes;
  const models = readModels(response.models);
  pass.emit(
    compact({
      kind: "ready",
      handle: state.resumes,
      // Older versions report it only with the first turn.
      mode: rungOf(reported),
      native: reported,
      models: models.length > 0 ? models : undefined,
    }),
  );
  readCommands(pass, response.commands);
  reportControls(pass, { permissionMode: reported, ...response });
}

const BYPASS =
  "Claude Code only does everything without asking if it was started that way: it takes effect at its next start.";

function reportApplied(pass: Pass, request: Request, response: Fields, error?: string, code?: string): void {
  const field = request.what as "mode" | "model" | "effort";
  const value = field === "mode" ? (rungOf(request.value) ?? request.value) : request.value;
  const refused = code === "bypass_not_launched" || /not launched with --dangerously/.test(error ?? "");
  const message = refused ? BYPASS : error;
  const ok = error === undefined;
  pass.emit(compact({ kind: "applied", field, value, ok, message }));
  const { asked, controls } = request;
  if (controls)
    pass.emit(compact({ kind: "applied", field: "controls", value: formatControls(controls), ok, message }));
  if (!ok) return;
  if (field === "mode") Object.assign(pass.state, compact({ asked, controls }));
  if (field === "mode") changeMode(pass, nonBlank(response.mode) ?? request.value);
  const model = field === "model" ? nonBlank(response.model) : undefined;
  if (!model || model === pass.state.model) return;
  pass.event("model.changed", compact({ from: pass.state.model, to: model }));
  pass.state.model = model;
}
