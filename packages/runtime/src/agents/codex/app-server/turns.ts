import { failure, noUsage } from "@gantry/protocol";
import { type RpcError, type RpcId, rpcRequest } from "../../../framing/json-rpc.ts";
import { itemId, type Output, type Step } from "../../contract.ts";
import { compact, type Fields, fields, number, ownValue, text, withoutKey } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import { requestFailure, textFailure, turnFailure } from "../failures.ts";
import { event, notice } from "../outputs.ts";
import { usedSince } from "../wire/usage.ts";
import { leaveSubagentsRunning, stopSubagent } from "./items/subagents.ts";
import { releasePlan } from "./items/texts.ts";
import type { Pending, State } from "./state.ts";
import { leaveTerminalsRunning, TERMINATE } from "./terminals.ts";

/** Begins a turn. The agent reports it twice (response and notification, in either order); it begins once. */
export function turnStarted(state: State, turn: string): Step<State> {
  if (turn === state.turn || turn === state.lastTurn) return [state, []];
  const starter = Object.entries(state.pending).find(([, entry]) => entry.method === "turn/start" && !entry.turn);
  if (!starter) return begin(state, turn);
  const [id, entry] = starter;
  const claimed = { ...state, pending: { ...state.pending, [id]: { ...entry, turn } } };
  return begin(claimed, turn, entry.message);
}

/**
 * Handles the response to `turn/start`: a new turn, or the message joined the running one. Older versions report settings
 * that a turn carries only by accepting it.
 */
export function turnStartAnswered(state: State, pending: Pending, result: Fields): Step<State> {
  const turn = text(fields(result.turn).id) ?? "";
  const settled: State = { ...state, settings: { ...state.settings, ...state.wanted }, wanted: {} };
  const applied: Output[] = pending.controls ? [{ kind: "controls", values: pending.controls }] : [];
  const acknowledged = [...acknowledge(pending), ...applied];
  if (pending.turn || turn === state.lastTurn) return [settled, acknowledged];
  if (turn === state.turn) return [state, [...acknowledge(pending), ...takenOutput(pending.message, true)]];
  const [next, outputs] = begin(settled, turn, pending.message);
  return [next, [...acknowledged, ...outputs]];
}

/** The agent rejected the turn, which then has begun and failed. */
export function turnStartRefused(state: State, pending: Pending, error: RpcError): Step<State> {
  const acknowledged = acknowledge(pending);
  if (state.turn) return [state, [...acknowledged, ...droppedOutput(pending.message, error.message)]];
  const begun: Output = { kind: "begin", ...(pending.message ? { messages: [pending.message] } : {}) };
  const failed: Output = {
    kind: "finish",
    outcome: "failed",
    reason: error.message,
    error: requestFailure(error),
  };
  return [state, [...acknowledged, begun, failed]];
}

/** The agent accepted a steer. It reads it at its next request to the model, and then echoes it. */
export function steerAnswered(state: State, pending: Pending): Step<State> {
  const { message } = pending;
  if (!message || !state.echoes) return [state, [...acknowledge(pending), ...takenOutput(message, true)]];
  return [{ ...state, steered: [...(state.steered ?? []), message] }, acknowledge(pending)];
}

/** No turn to steer, or one that accepts no input: the message returns to the queue. */
export function steerRefused(state: State, pending: Pending, error: RpcError): Step<State> {
  if (!pending.message) return [state, [notice("steer", "warning", `Not delivered: ${error.message}`)]];
  return [state, [...acknowledge(pending), ...droppedOutput(pending.message, error.message)]];
}

/** The agent echoes our message: it has read it. */
export function userMessage(state: State, item: Fields): Step<State> {
  const message = text(item.clientId);
  if (!message) return [state, []];
  const echoed: State = { ...state, echoes: true };
  if (state.steered?.includes(message)) {
    const steered = state.steered.filter((other) => other !== message);
    return [{ ...echoed, steered }, takenOutput(message, true)];
  }
  const waiting = Object.entries(state.pending).find(([, entry]) => entry.message === message);
  if (!waiting) return [echoed, []];
  const [id, { message: _, ...entry }] = waiting;
  const next = { ...echoed, pending: { ...state.pending, [id]: entry } };
  return [next, [{ kind: "ack", key: message }, ...(entry.turn ? [] : takenOutput(message, true))]];
}

/** Handles `turn/completed`. Open requests of the turn are withdrawn first. */
export function turnCompleted(state: State, params: Fields): Step<State> {
  const turn = fields(params.turn);
  const id = text(turn.id) ?? "";
  if (id === state.lastTurn) return [state, []];
  return runSteps(
    state,
    (current) => (current.turn === id ? [current, []] : turnStarted(current, id)),
    (current) => withdrawOfTurn(current, id),
    (current) => finish(current, turn),
  );
}

/** The process exited during a turn. */
export function turnCrashed(state: State, message: string): Step<State> {
  if (!state.turn) return [state, []];
  const error = failure("crashed", message);
  return [endTurn(state), [{ kind: "finish", outcome: "failed", reason: "crashed", error, ...usageOf(state) }]];
}

function finish(state: State, turn: Fields): Step<State> {
  const status = text(turn.status);
  const error = turn.error ? turnFailure(fields(turn.error)) : undefined;
  const outcome = status === "interrupted" ? "interrupted" : status === "completed" && !error ? "completed" : "failed";
  const why = outcome === "failed" ? (error ?? textFailure(`The turn ended as ${status ?? "unknown"}.`)) : undefined;
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
  const left = outcome === "interrupted" ? endWorkOfTurn(state) : [];
  const unread = (state.steered ?? []).flatMap((message) =>
    outcome === "completed"
      ? takenOutput(message, true)
      : droppedOutput(message, "the turn ended before the agent read it"),
  );
  return runSteps(
    state,
    releasePlan,
    (current) => (outcome === "interrupted" ? [current, []] : leaveTerminalsRunning(current)),
    leaveSubagentsRunning,
    (current) => (outcome === "completed" ? clearLimit(current) : [current, []]),
    (current) => [
      endTurn(current),
      [...unread, finished, ...left, ...(outcome === "completed" ? proposal(current) : [])],
    ],
  );
}

/** The turn ended with a plan; Codex does not ask whether to carry it out. */
function proposal({ plan, settings, wanted }: State): Output[] {
  if (!plan?.text.trim() || (wanted.mode ?? settings.mode) !== "plan") return [];
  return [
    { kind: "plan", item: itemId(plan.item), title: "Codex wants to carry out its plan", text: plan.text.trim() },
  ];
}

/** An interrupted turn leaves its commands and subagents running in the background; they are stopped. */
function endWorkOfTurn(state: State): Output[] {
  const terminals = Object.entries(state.terminals).filter(([item]) => !ownValue(state.tools, item));
  const commands = terminals.map(([, processId], index): Output => {
    const params = { threadId: state.thread, processId };
    const msg = rpcRequest(state.nextId + index, TERMINATE, params);
    return { kind: "send", frame: { msg, repeat: "safe" } };
  });
  const ofTurn = Object.entries(state.subagents).filter(([, { running, task }]) => running && !task);
  const subagents = ofTurn.flatMap(([thread], index): Output[] => {
    const frame = stopSubagent(state, thread, state.nextId + terminals.length + index);
    return frame ? [{ kind: "send", frame }] : [];
  });
  return [...commands, ...subagents];
}

function begin(state: State, turn: string, message?: string): Step<State> {
  const { diff: _, ...rest } = state;
  const next: State = compact({ ...rest, turn, before: state.total });
  const begun: Output = { kind: "begin", ...(message ? { messages: [message] } : {}) };
  return [next, [begun, ...takenOutput(message, false)]];
}

function endTurn(state: State): State {
  const { turn, before: _, steered: __, plan: ___, ...rest } = state;
  const isInBackground = (item: string) => ownValue(state.background ?? {}, item) !== undefined;
  const isRunning = (subagent: string) => ownValue(state.subagents, subagent)?.running === true;
  const isOfSubagent = (item: string) => isRunning(ownValue(state.tools, item) ?? "");
  return compact({
    ...rest,
    lastTurn: turn,
    texts: Object.fromEntries(Object.entries(state.texts).filter(([, open]) => isRunning(open.subagent ?? ""))),
    tools: Object.fromEntries(
      Object.entries(state.tools).filter(([item, subagent]) => isRunning(subagent) || isInBackground(item)),
    ),
    terminals: Object.fromEntries(Object.entries(state.terminals).filter(([item]) => isOfSubagent(item))),
    stopped: Object.keys(state.terminals).filter((item) => !isInBackground(item) && !isOfSubagent(item)),
    commands: Object.fromEntries(
      Object.entries(state.commands ?? {}).filter(([item]) => isInBackground(item) || isOfSubagent(item)),
    ),
    patches: {},
  });
}

function withdrawOfTurn(state: State, turn: string): Step<State> {
  const keys = Object.keys(state.asks).filter((key) => ownValue(state.asks, key)?.turn === turn);
  const asks = keys.reduce(withoutKey, state.asks);
  return [{ ...state, asks }, keys.map((key) => ({ kind: "withdrawn", key, reason: "the turn ended" }))];
}

/** A completed turn clears a reached limit. */
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

function takenOutput(message: string | undefined, inline: boolean): Output[] {
  return message ? [{ kind: "taken", message, inline }] : [];
}

function droppedOutput(message: string | undefined, reason: string): Output[] {
  return message ? [{ kind: "dropped", message, reason }] : [];
}

/** The state key of a request id; numeric and string ids do not collide. */
export function pendingKey(id: RpcId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}
