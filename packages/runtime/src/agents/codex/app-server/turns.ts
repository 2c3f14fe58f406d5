import { failure, noUsage } from "@gantry/protocol";
import { type RpcError, type RpcId, rpcRequest } from "../../../framing/json-rpc.ts";
import type { Output, Step } from "../../contract.ts";
import { compact, type Fields, fields, number, own, text, without } from "../../fields.ts";
import { requestFailure, turnFailure, wordsFailure } from "../failures.ts";
import { event, notice } from "../outputs.ts";
import { usedSince } from "../wire/usage.ts";
import { inOrder, type Pending, type State } from "./state.ts";

/** A turn has an id now. Said twice by the agent (answer and notification, in either order), it begins once. */
export function turnStarted(state: State, turn: string): Step<State> {
  if (turn === state.turn || turn === state.lastTurn) return [state, []];
  const starter = Object.entries(state.pending).find(([, entry]) => entry.method === "turn/start" && !entry.turn);
  if (!starter) return begin(state, turn);
  const [id, entry] = starter;
  const claimed = { ...state, pending: { ...state.pending, [id]: { ...entry, turn } } };
  return begin(claimed, turn, entry.message);
}

/** The answer to `turn/start`: a new turn, or, while one runs, the message went into that one. */
export function turnStartAnswered(state: State, pending: Pending, result: Fields): Step<State> {
  const turn = text(fields(result.turn).id) ?? "";
  const settled: State = { ...state, settings: { ...state.settings, ...state.wanted }, wanted: {} };
  const acknowledged = acknowledge(pending);
  if (pending.turn || turn === state.lastTurn) return [settled, acknowledged];
  if (turn === state.turn) return [state, [...acknowledged, ...taken(pending.message, true)]];
  const [next, outputs] = begin(settled, turn, pending.message);
  return [next, [...acknowledged, ...outputs]];
}

/** The agent would not start the turn: it began for us with the message, and has failed. */
export function turnStartRefused(state: State, pending: Pending, error: RpcError): Step<State> {
  const acknowledged = acknowledge(pending);
  if (state.turn) return [state, [...acknowledged, ...dropped(pending.message, error.message)]];
  const begun: Output = { kind: "begin", ...(pending.message ? { messages: [pending.message] } : {}) };
  const failed: Output = {
    kind: "finish",
    outcome: "failed",
    reason: error.message,
    error: requestFailure(error),
  };
  return [state, [...acknowledged, begun, failed]];
}

export function steerAnswered(state: State, pending: Pending): Step<State> {
  return [state, [...acknowledge(pending), ...taken(pending.message, true)]];
}

/** No turn to steer any more, or one that takes no input: the message is ours again. */
export function steerRefused(state: State, pending: Pending, error: RpcError): Step<State> {
  if (!pending.message) return [state, [notice("steer", "warning", `Not delivered: ${error.message}`)]];
  return [state, [...acknowledge(pending), ...dropped(pending.message, error.message)]];
}

/** The agent shows a message of ours in its transcript. Only news when the answer to its request is still out. */
export function userMessage(state: State, item: Fields): Step<State> {
  const message = text(item.clientId);
  const waiting = Object.entries(state.pending).find(([, entry]) => message && entry.message === message);
  if (!waiting || !message) return [state, []];
  const [id, { message: _, ...entry }] = waiting;
  const next = { ...state, pending: { ...state.pending, [id]: entry } };
  return [next, [{ kind: "ack", key: message }, ...(entry.turn ? [] : taken(message, true))]];
}

/** `turn/completed`. Questions of the turn that are still open are taken back first. */
export function turnCompleted(state: State, params: Fields): Step<State> {
  const turn = fields(params.turn);
  const id = text(turn.id) ?? "";
  if (id === state.lastTurn) return [state, []];
  return inOrder(
    state,
    (current) => (current.turn === id ? [current, []] : turnStarted(current, id)),
    (current) => withdrawOfTurn(current, id),
    (current) => finish(current, turn),
  );
}

/** The process is gone in the middle of a turn. */
export function turnCrashed(state: State, message: string): Step<State> {
  if (!state.turn) return [state, []];
  const error = failure("crashed", message);
  return [endTurn(state), [{ kind: "finish", outcome: "failed", reason: "crashed", error, ...usageOf(state) }]];
}

function finish(state: State, turn: Fields): Step<State> {
  const status = text(turn.status);
  const error = turn.error ? turnFailure(fields(turn.error)) : undefined;
  const outcome = status === "interrupted" ? "interrupted" : status === "completed" && !error ? "completed" : "failed";
  const why = outcome === "failed" ? (error ?? wordsFailure(`The turn ended as ${status ?? "unknown"}.`)) : undefined;
  const finished: Output = compact({
    kind: "finish",
    outcome,
    reason: why?.message,
    error: why,
    servedModel: state.settings.model,
    durationMs: number(turn.durationMs),
    ext: compact({ turn: text(turn.id), serviceTier: state.serviceTier }),
    ...usageOf(state),
  });
  const left = outcome === "interrupted" ? endTerminals(state) : [];
  return inOrder(
    state,
    (current) => (outcome === "completed" ? clearLimit(current) : [current, []]),
    (current) => [endTurn(current), [finished, ...left]],
  );
}

/** An interrupted turn leaves its commands running in the background, where nobody would ever look for them. */
function endTerminals(state: State): Output[] {
  return Object.values(state.terminals).map((processId, index) => {
    const params = { threadId: state.thread, processId };
    const msg = rpcRequest(state.nextId + index, "thread/backgroundTerminals/terminate", params);
    return { kind: "send", frame: { msg, repeat: "safe" } };
  });
}

function begin(state: State, turn: string, message?: string): Step<State> {
  const { diff: _, ...rest } = state;
  const next: State = compact({ ...rest, turn, before: state.total });
  const begun: Output = { kind: "begin", ...(message ? { messages: [message] } : {}) };
  return [next, [begun, ...taken(message, false)]];
}

function endTurn(state: State): State {
  const { turn, before: _, ...rest } = state;
  const running = (subagent: string) => own(state.subagents, subagent)?.running === true;
  return compact({
    ...rest,
    lastTurn: turn,
    texts: Object.fromEntries(Object.entries(state.texts).filter(([, open]) => running(open.subagent ?? ""))),
    tools: Object.fromEntries(Object.entries(state.tools).filter(([, subagent]) => running(subagent))),
    terminals: {},
    stopped: Object.keys(state.terminals),
    patches: {},
  });
}

function withdrawOfTurn(state: State, turn: string): Step<State> {
  const keys = Object.keys(state.asks).filter((key) => own(state.asks, key)?.turn === turn);
  const asks = keys.reduce(without, state.asks);
  return [{ ...state, asks }, keys.map((key) => ({ kind: "withdrawn", key, reason: "the turn ended" }))];
}

/** A turn went through: whatever limit there was no longer holds. */
function clearLimit(state: State): Step<State> {
  if (!state.limit) return [state, []];
  const { limit: _, ...rest } = state;
  return [rest, [event("limit.cleared", { provider: "openai", source: "a turn completed" })]];
}

function usageOf(state: State) {
  return state.total ? { usage: usedSince(state.total, state.before ?? noUsage) } : {};
}

function acknowledge(pending: Pending): Output[] {
  return pending.message ? [{ kind: "ack", key: pending.message }] : [];
}

function taken(message: string | undefined, inline: boolean): Output[] {
  return message ? [{ kind: "taken", message, inline }] : [];
}

function dropped(message: string | undefined, reason: string): Output[] {
  return message ? [{ kind: "dropped", message, reason }] : [];
}

/** The key of a pending request in the state: ids of both types stay apart. */
export function pendingKey(id: RpcId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}
