import { failure, noUsage } from "@gantry/protocol";
import { type Frame, itemId, type Output, type Step } from "../../contract.ts";
import { compact, type Fields, fields, firstLine, text } from "../../fields.ts";
import { cutMessageFailure } from "../../json-lines/reading/failures.ts";
import { isLost, readReconnect, textFailure } from "../failures.ts";
import { event, notice, raw } from "../outputs.ts";
import { readUsage, usedSince } from "../wire/usage.ts";
import { itemChanged } from "./items.ts";
import { CHANNEL, type State } from "./state.ts";

/** Decodes a line of `codex exec --json`. An `error` line never ends the turn; `turn.failed` does. */
export function decode(state: State, frame: Frame): Step<State> {
  switch (frame.dir) {
    case "in":
      return [state, []];
    case "err":
      return decodeStderr(state, frame.text);
    case "end":
      return endProcess(state, frame);
    case "out":
      if ("msg" in frame) return decodeLine(state, fields(frame.msg), frame.msg);
      if ("text" in frame) return plainLine(state, frame.text);
      return [state, [raw(CHANNEL, { oversize: frame.oversize, head: frame.head }, "line too long")]];
  }
}

function decodeLine(state: State, line: Fields, frame: unknown): Step<State> {
  const type = text(line.type) ?? "";
  switch (type) {
    case "thread.started":
      return [state, [compact({ kind: "ready", handle: text(line.thread_id), model: state.model })]];
    case "turn.started":
      return startTurn(state);
    case "item.started":
    case "item.updated":
    case "item.completed":
      return itemChanged(compact({ ...state, retrying: undefined }), type, fields(line.item), frame);
    case "turn.completed":
      return completeTurn(state, fields(line.usage));
    case "turn.failed":
      return failTurn(state, text(fields(line.error).message) ?? "The agent gave no reason.");
    case "error":
      return errorLine(state, text(line.message) ?? "");
    default:
      return [state, [raw(CHANNEL, frame, "unknown line")]];
  }
}

function startTurn(state: State): Step<State> {
  const { message } = state;
  const begun: Output = { kind: "begin", ...(message ? { messages: [message] } : {}) };
  const taken: Output[] = message ? [{ kind: "taken", message, inline: false }] : [];
  return [{ ...state, turn: "running" }, [begun, ...taken]];
}

/** Counts cover the thread. For a resumed one only the sum is known, which is not reported as the turn's usage. */
function completeTurn(state: State, counts: Fields): Step<State> {
  const total = readUsage(counts);
  const known = state.total ?? (state.resumed ? undefined : noUsage);
  const finish: Output = compact({
    kind: "finish",
    outcome: "completed",
    servedModel: state.model,
    usage: known && usedSince(total, known),
    ext: known ? undefined : { threadUsage: total },
  });
  return endTurn({ ...state, total }, finish);
}

function failTurn(state: State, message: string): Step<State> {
  const error = textFailure(message);
  return endTurn(state, { kind: "finish", outcome: "failed", reason: error.message, error });
}

/** A turn that ends without a start is begun first. */
function endTurn(state: State, finish: Output): Step<State> {
  const [begun, outputs] = state.turn === "running" ? ([state, []] as Step<State>) : startTurn(state);
  return [{ ...begun, turn: "over", tools: [] }, [...outputs, finish]];
}

function errorLine(state: State, message: string): Step<State> {
  const retry = readReconnect(message);
  if (!retry) return [state, [event("error", textFailure(message))]];
  const retrying = textFailure(retry.reason);
  return [{ ...state, retrying }, [{ kind: "retry", ...retry, failure: retrying }]];
}

/** Before any JSON line it is plain text output; later it is unexpected. */
function plainLine(state: State, line: string): Step<State> {
  if (line.trim() === "") return [state, []];
  if (state.turn !== "none" && state.plain === undefined) return [state, [raw(CHANNEL, line, "not JSON")]];
  const plain = state.plain === undefined ? line : `${state.plain}\n${line}`;
  if (state.plain !== undefined) return [{ ...state, plain }, []];
  const [begun, outputs] = startTurn(state);
  return [{ ...begun, plain }, outputs];
}

function endPlain(state: State, plain: string, code: number | null): Step<State> {
  const spoken = compact({ ...state, plain: undefined });
  const cut = cutMessageFailure(plain);
  if (cut) {
    const [failed, outputs] = endTurn(spoken, { kind: "finish", outcome: "failed", reason: cut.message, error: cut });
    return [failed, [raw(CHANNEL, plain, "lines that are not JSON"), ...outputs]];
  }
  if (code) return failTurn(spoken, plain);
  const item = itemId(`${state.prefix}-plain`);
  const message = event("message.done", { item, text: plain, phase: "final" });
  const [after, outputs] = endTurn(spoken, { kind: "finish", outcome: "completed" });
  return [after, [{ kind: "delta", item, channel: "text", text: plain }, message, ...outputs]];
}

const complaints = /error|not logged in|not inside a trusted directory|no rollout found|panicked|invalid value/i;

function decodeStderr(state: State, line: string): Step<State> {
  if (isLost(line))
    return [{ ...state, complaint: firstLine(line, 300) }, [{ kind: "lost", message: firstLine(line, 300) }]];
  if (!complaints.test(line)) return [state, []];
  const next = { ...state, complaint: firstLine(line, 300) };
  const refused = /patch rejected: .*/.exec(line)?.[0];
  return [next, refused ? [notice("sandbox", "warning", refused)] : []];
}

/** The exit of the process ends the turn unless it has ended already. */
function endProcess(state: State, frame: Extract<Frame, { dir: "end" }>): Step<State> {
  if (state.turn === "over" || isLost(state.complaint)) return [{ ...state, turn: "over" }, []];
  if (state.plain !== undefined) return endPlain(state, state.plain, frame.code);
  const how = frame.signal ? `was killed by ${frame.signal}` : `ended with code ${frame.code ?? "unknown"}`;
  const message = [`The agent's process ${how}.`, state.complaint].filter(Boolean).join(" ");
  const reported = state.retrying ?? textFailure(state.complaint ?? "");
  const explanation = state.retrying ? `${message} It was retrying: ${state.retrying.message}` : message;
  const error =
    reported.category === "unknown" ? failure("crashed", explanation) : { ...reported, message: explanation };
  return endTurn(state, { kind: "finish", outcome: "failed", reason: "crashed", error });
}
