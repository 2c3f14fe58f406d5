import type { Frame, Step } from "../../contract.ts";
import { compact, type Fields, fields, newestEntries, nonBlank, ownValue, text, withoutKey } from "../../fields.ts";
import { Pass } from "../../json-lines/pass.ts";
import {
  exitFailure,
  failTurn,
  handlePlainLine,
  handleProcessEnd,
  recordStderr,
  reportLost,
  reportReady,
} from "../../json-lines/turns.ts";
import { isNotFound, sdkFailure } from "./failures.ts";
import { isFromSdk, readSdk } from "./messages.ts";
import type { SdkState } from "./state.ts";

export const SDK = "sdk";
/** A prompt that shows the newest run of a cloud agent, also one that another program started. */
export const FOLLOW = "/follow";

const IN_CLOUD =
  "This conversation runs in Cursor's cloud, on the repository of its agent. The folder and the mode of this session do not apply to it.";

/** Decodes a line of the worker: its own, or one of a run. */
export function decode(state: SdkState, frame: Frame): Step<SdkState> {
  const pass = new Pass(state, SDK);
  if (frame.dir === "err") recordStderr(pass, frame.text);
  if (frame.dir === "in") handleWritten(pass, fields(frame.msg));
  if (frame.dir === "end") handleExit(pass, frame.code, frame.signal);
  if (frame.dir === "out") handleOutput(pass, frame);
  return pass.step();
}

function handleOutput(pass: Pass<SdkState>, frame: Extract<Frame, { dir: "out" }>): void {
  if ("oversize" in frame) return pass.raw({ oversize: frame.oversize, head: frame.head }, "line too long");
  if ("text" in frame) return handlePlainLine(pass, frame.text);
  pass.state.framed = true;
  const line = fields(frame.msg);
  if (isFromSdk(line)) return readSdk(pass, line, frame.msg);
  switch (line.type) {
    case "ready":
      return handleReady(pass, line);
    case "failed":
      return handleFailed(pass, line);
    case "response":
      return handleResponse(pass, line);
    case "warning":
      return pass.notice("agent", "warning", sdkFailure(line.error).message);
    default:
      return pass.raw(frame.msg, "unknown line");
  }
}

function handleReady(pass: Pass<SdkState>, line: Fields): void {
  const { state } = pass;
  const cloud = line.cloud === true;
  const model = nonBlank(line.model);
  Object.assign(state, { ready: true, cloud, handle: nonBlank(line.agent_id), model });
  if (cloud) pass.notice("cloud", "info", IN_CLOUD);
  // The worker confirms whether it is read-only; the other modes do not differ for it.
  const mode = line.mode === "plan" ? "plan" : state.mode === "plan" ? undefined : state.mode;
  const native = cloud ? "cloud" : text(line.mode);
  pass.emit(compact({ kind: "ready", handle: state.handle, model, mode: cloud ? undefined : mode, native }));
}

/** The conversation could not be opened. */
function handleFailed(pass: Pass<SdkState>, line: Fields): void {
  if (nonBlank(line.resume) && isNotFound(line.error)) return reportLost(pass, sdkFailure(line.error).message);
  failTurn(pass, sdkFailure(line.error), { reason: "not started" });
}

function handleResponse(pass: Pass<SdkState>, line: Fields): void {
  const { state } = pass;
  const id = text(line.id) ?? "";
  pass.emit({ kind: "ack", key: id });
  const sent = ownValue(state.sent, id);
  const message = nonBlank(line.error);
  state.sent = withoutKey(state.sent, id);
  if (sent?.field) {
    pass.emit(compact({ kind: "applied", field: sent.field, value: sent.value ?? "", ok: !message, message }));
    if (!message) reportReady(pass, { model: sent.value });
  }
  if (sent?.message && message) pass.emit({ kind: "dropped", message: sent.message, reason: message });
}

/** Tracks what was written to the worker and, for recordings, reports prompts. */
function handleWritten(pass: Pass<SdkState>, line: Fields): void {
  const { state } = pass;
  const id = text(line.id) ?? "";
  state.written += 1;
  if (line.type === "prompt" || line.type === "follow") {
    const ours = id.startsWith("msg_") ? { message: id } : {};
    if (state.turn !== "running") Object.assign(state, { turn: "none", stopping: false, ...ours });
    remember(pass, id, ours);
    pass.emit({ kind: "prompted", text: text(line.text) ?? "", ...ours });
  }
  if (line.type === "cancel") state.stopping = true;
  if (line.type === "set_model") remember(pass, id, { field: "model", value: text(line.model) ?? "" });
}

function remember({ state }: Pass<SdkState>, id: string, sent: SdkState["sent"][string]): void {
  state.sent = newestEntries({ ...state.sent, [id]: sent }, 20);
}

/** An exit before the conversation is open fails the turn that started the worker. */
function handleExit(pass: Pass<SdkState>, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (state.turn === "running") return handleProcessEnd(pass, code, signal);
  if (state.ready || state.lost || state.turn === "over" || !code) return;
  failTurn(pass, exitFailure(pass, code, signal), { reason: "not started" });
}
