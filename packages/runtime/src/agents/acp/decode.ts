import { failure } from "@gantry/protocol";
import { readRpc, rpcErrors, withVersion } from "../../framing/json-rpc.ts";
import type { Frame, Output, Step } from "../contract.ts";
import { compact, type Fields, fields, firstLine, nonBlank, ownValue, withoutKey } from "../fields.ts";
import { runSteps } from "../steps.ts";
import type { Dialect } from "./dialect.ts";
import { textFailure } from "./failures.ts";
import { inbound } from "./inbound.ts";
import { event, raw, send } from "./outputs.ts";
import { handleAgentRequest } from "./requests/requests.ts";
import { handleError, handleResult } from "./responses.ts";
import { requestKey, type State, type TurnResult } from "./state.ts";
import { handleMode } from "./updates/options.ts";
import { closeText } from "./updates/texts.ts";
import { handleUpdate } from "./updates/updates.ts";

/** Decodes one frame. Pure and total: every frame has a result, whatever the agent prints. */
export function decode(dialect: Dialect, state: State, frame: Frame): Step<State> {
  switch (frame.dir) {
    case "in":
      return inbound(dialect, state, frame.msg);
    case "err":
      return readRetry(dialect, recordStderr(state, frame.text), frame.text);
    case "end":
      return handleExit(state, frame);
    case "out":
      if ("msg" in frame) return handleLine(dialect, state, frame.msg);
      if ("text" in frame) return [state, frame.text.trim() ? [raw(frame.text, frame.problem ?? "not JSON")] : []];
      return [state, [raw({ oversize: frame.oversize, head: frame.head }, "line too long")]];
  }
}

/** Longer batches are not read: a line is processed in one turn of the event loop. */
const MAX_BATCH = 200;

/** A line holds one message or a JSON-RPC batch. */
function handleLine(dialect: Dialect, state: State, msg: unknown): Step<State> {
  if (!Array.isArray(msg)) return handleOutput(dialect, state, msg);
  if (msg.length === 0 || msg.length > MAX_BATCH) return [state, [raw(msg, "not a JSON-RPC message")]];
  return runSteps(state, ...msg.map((entry) => (current: State) => handleOutput(dialect, current, entry)));
}

function handleOutput(dialect: Dialect, state: State, msg: unknown): Step<State> {
  const message = readRpc(msg);
  switch (message?.kind) {
    case "result":
      return handleResult(dialect, state, message.id, message.result, msg);
    case "error":
      return handleError(dialect, state, message.id, message.error, msg);
    case "request":
      return handleAgentRequest(dialect, state, { ...message, params: fields(message.params) }, msg);
    case "notification":
      return isRejected(msg)
        ? [state, [rejectId(msg), raw(msg, "request with an invalid id, rejected")]]
        : handleNotification(dialect, state, message.method, fields(message.params), msg);
    default:
      return [state, [raw(msg, "not a JSON-RPC message")]];
  }
}

/**
 * A request whose id is neither a string nor a number. It is answered, because the agent may wait for a response. Some
 * serialisers write the absent id of a notification as null.
 */
function isRejected(msg: unknown): boolean {
  const { id, method } = fields(msg);
  return id !== undefined && !(id === null && method === "session/update");
}

function rejectId(msg: unknown): Output {
  const error = { code: rpcErrors.invalidRequest, message: "The id of a request must be a string or a number." };
  return send(withVersion({ id: fields(msg).id, error }));
}

function handleNotification(
  dialect: Dialect,
  state: State,
  method: string,
  params: Fields,
  frame: unknown,
): Step<State> {
  switch (method) {
    case "session/update":
      return handleUpdate(dialect, state, params, frame);
    case "$/cancel_request":
      return handleCancelRequest(state, params.requestId);
    case "_auth/status_update":
    case "elicitation/complete":
      return [state, []];
    case "qwen/notify/session/mode-update":
      return handleMode(dialect, state, nonBlank(params.currentModeId) ?? "");
  }
  const extension = ownValue(dialect.extensions ?? {}, method);
  if (extension?.notify) return extension.notify(state, params);
  const ignored = dialect.quiet?.includes(method) || (dialect.ignoresExtensions && method.startsWith("_"));
  return [state, ignored ? [] : [raw(frame, "unknown notification")]];
}

/** Handles `$/cancel_request`: the agent withdraws a request. */
function handleCancelRequest(state: State, id: unknown): Step<State> {
  const key = typeof id === "string" || typeof id === "number" ? requestKey(id) : "";
  if (!ownValue(state.asks, key)) return [state, []];
  return [
    { ...state, asks: withoutKey(state.asks, key) },
    [{ kind: "withdrawn", key, reason: "the agent withdrew it" }],
  ];
}

function recordStderr(state: State, line: string): State {
  return /error|fatal|panic|exception/i.test(line) ? { ...state, complaint: firstLine(line, 300) } : state;
}

/** Longer lines are cut: a pattern may need more than linear time. */
const MAX_LOG_LINE = 16_000;

/** The failure stays the reason of a turn that ends without output. */
function readRetry(dialect: Dialect, state: State, line: string): Step<State> {
  const found = state.prompts.length > 0 ? dialect.retries?.exec(line.slice(0, MAX_LOG_LINE))?.groups : undefined;
  const reason = found?.reason ?? found?.older;
  if (!reason) return [state, []];
  const retried = textFailure(dialect, reason);
  return [{ ...state, retried }, [{ kind: "retry", reason, failure: retried }]];
}

/** Handles the exit of the process. Open text is completed; a running turn fails. */
function handleExit(state: State, frame: Extract<Frame, { dir: "end" }>): Step<State> {
  const how = frame.signal ? `was killed by ${frame.signal}` : `ended with code ${frame.code ?? "unknown"}`;
  // A killed process printed no reason; its last error line is older.
  const complaint = frame.signal ? undefined : state.complaint;
  const error = failure("crashed", [`The agent's process ${how}.`, complaint].filter(Boolean).join(" "));
  return runSteps(state, closeText, (current) => {
    if (current.turn && (!current.turn.cancelled || current.turn.counting)) {
      const { turn, ...rest } = current;
      const crashed: TurnResult = { outcome: "failed", error };
      const verdict = turn.counting?.verdict ?? crashed;
      return [rest, [compact({ kind: "finish", ...verdict, reason: verdict === crashed ? "crashed" : undefined })]];
    }
    return [current, current.phase === "open" || current.phase === "settled" ? [] : [event("error", error)]];
  });
}
