import { failure } from "@gantry/protocol";
import { readRpc } from "../../framing/json-rpc.ts";
import type { Frame, Output, Step } from "../contract.ts";
import { compact, type Fields, fields, firstLine, nonBlank, own, without } from "../fields.ts";
import { answered, refused } from "./answers.ts";
import type { Dialect } from "./dialect.ts";
import { wordsFailure } from "./failures.ts";
import { inbound } from "./inbound.ts";
import { event, raw } from "./outputs.ts";
import { agentRequest } from "./requests/requests.ts";
import { requestKey, runSteps, type State, type Verdict } from "./state.ts";
import { modeChanged } from "./updates/options.ts";
import { closeText } from "./updates/texts.ts";
import { updated } from "./updates/updates.ts";

/** What a frame means. Pure, and total: whatever the agent prints has an answer here. */
export function decode(dialect: Dialect, state: State, frame: Frame): Step<State> {
  switch (frame.dir) {
    case "in":
      return inbound(dialect, state, frame.msg);
    case "err":
      return [complained(state, frame.text), retried(dialect, state, frame.text)];
    case "end":
      return ended(state, frame);
    case "out":
      if ("msg" in frame) return outbound(dialect, state, frame.msg);
      if ("text" in frame) return [state, frame.text.trim() ? [raw(frame.text, "not JSON")] : []];
      return [state, [raw({ oversize: frame.oversize, head: frame.head }, "line too long")]];
  }
}

function outbound(dialect: Dialect, state: State, msg: unknown): Step<State> {
  const message = readRpc(msg);
  switch (message?.kind) {
    case "result":
      return answered(dialect, state, message.id, message.result, msg);
    case "error":
      return refused(dialect, state, message.id, message.error, msg);
    case "request":
      return agentRequest(dialect, state, { ...message, params: fields(message.params) }, msg);
    case "notification":
      return notified(dialect, state, message.method, fields(message.params), msg);
    default:
      return [state, [raw(msg, "not a JSON-RPC message")]];
  }
}

function notified(dialect: Dialect, state: State, method: string, params: Fields, frame: unknown): Step<State> {
  switch (method) {
    case "session/update":
      return updated(dialect, state, params, frame);
    case "$/cancel_request":
      return withdrawn(state, params.requestId);
    case "_auth/status_update":
    case "elicitation/complete":
      return [state, []];
    case "qwen/notify/session/mode-update":
      return modeChanged(dialect, state, nonBlank(params.currentModeId) ?? "");
  }
  const extension = own(dialect.extensions ?? {}, method);
  if (extension?.tell) return extension.tell(state, params);
  return [state, dialect.quiet?.includes(method) ? [] : [raw(frame, "unknown notification")]];
}

/** The agent takes a question back. */
function withdrawn(state: State, id: unknown): Step<State> {
  const key = typeof id === "string" || typeof id === "number" ? requestKey(id) : "";
  if (!own(state.asks, key)) return [state, []];
  return [{ ...state, asks: without(state.asks, key) }, [{ kind: "withdrawn", key, reason: "the agent took it back" }]];
}

function complained(state: State, line: string): State {
  return /error|fatal|panic|exception/i.test(line) ? { ...state, complaint: firstLine(line, 300) } : state;
}

function retried(dialect: Dialect, state: State, line: string): Output[] {
  const reason = state.prompts.length > 0 ? dialect.retries?.exec(line)?.groups?.reason : undefined;
  return reason ? [{ kind: "retry", reason, failure: wordsFailure(dialect, reason) }] : [];
}

/** The process is gone. What it said last is kept; a turn in the middle of which it happened has failed. */
function ended(state: State, frame: Extract<Frame, { dir: "end" }>): Step<State> {
  const how = frame.signal ? `was killed by ${frame.signal}` : `ended with code ${frame.code ?? "unknown"}`;
  // Who was killed had no time to say why; its last complaint is an old one.
  const complaint = frame.signal ? undefined : state.complaint;
  const error = failure("crashed", [`The agent's process ${how}.`, complaint].filter(Boolean).join(" "));
  return runSteps(state, closeText, (current) => {
    if (current.turn && (!current.turn.cancelled || current.turn.counting)) {
      const { turn, ...rest } = current;
      const crashed: Verdict = { outcome: "failed", error };
      const verdict = turn.counting?.verdict ?? crashed;
      return [rest, [compact({ kind: "finish", ...verdict, reason: verdict === crashed ? "crashed" : undefined })]];
    }
    return [current, current.phase === "open" || current.phase === "settled" ? [] : [event("error", error)]];
  });
}
