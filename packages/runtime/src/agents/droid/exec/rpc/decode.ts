import type { Frame, Step } from "../../../contract.ts";
import { compact, type Fields, fields, nonBlank, ownValue, text, withoutKey } from "../../../fields.ts";
import { Pass } from "../../../json-lines/pass.ts";
import { textFailure } from "../../../json-lines/reading/failures.ts";
import { exitFailure, failTurn, handleProcessEnd, recordStderr } from "../../../json-lines/turns.ts";
import { handleRequest } from "./asks.ts";
import { inbound } from "./inbound.ts";
import { handleNotification } from "./notifications.ts";
import { opening, steps } from "./opening.ts";
import { CHANNEL, type RpcState } from "./state.ts";

/** Decodes a frame of `droid exec --output-format stream-jsonrpc`. */
export function decode(state: RpcState, frame: Frame): Step<RpcState> {
  const pass = new Pass(state, CHANNEL);
  if (frame.dir === "err") recordStderr(pass, frame.text);
  if (frame.dir === "in") inbound(pass, fields(frame.msg));
  if (frame.dir === "end") endProcess(pass, frame.code, frame.signal);
  if (frame.dir === "out") {
    if ("msg" in frame) handleOutput(pass, fields(frame.msg), frame.msg);
    else
      pass.raw(
        "text" in frame ? frame.text : { oversize: frame.oversize, head: frame.head },
        "a line that is not JSON",
      );
  }
  return pass.step();
}

function handleOutput(pass: Pass<RpcState>, line: Fields, frame: unknown): void {
  if (line.type === "request") return handleRequest(pass, line, frame);
  if (line.type === "response") return handleResponse(pass, line);
  if (line.method !== "droid.session_notification") return pass.raw(frame, "unknown message");
  handleNotification(pass, fields(fields(line.params).notification), frame);
}

function handleResponse(pass: Pass<RpcState>, line: Fields): void {
  const { state } = pass;
  const id = text(line.id) ?? "";
  pass.emit({ kind: "ack", key: id });
  const error = line.error === undefined ? undefined : (nonBlank(fields(line.error).message) ?? "Droid refused.");
  const result = fields(line.result);
  // In recordings of other clients the opening request has another id.
  const step = ownValue(opening, id) ?? ("settings" in result ? opening[steps.open] : undefined);
  if (step) return step(pass, result, error);
  const sent = ownValue(state.sent, id);
  // A user message is tracked until Droid echoes it.
  if (sent?.field || error) state.sent = withoutKey(state.sent, id);
  if (sent?.field)
    pass.emit(compact({ kind: "applied", field: sent.field, value: sent.value ?? "", ok: !error, message: error }));
  else if (error && sent?.message) failTurn(pass, textFailure(error));
}

function endProcess(pass: Pass<RpcState>, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (state.turn === "running") return handleProcessEnd(pass, code, signal);
  if (!state.ready && code && !state.lost) pass.event("error", exitFailure(pass, code, signal));
}
