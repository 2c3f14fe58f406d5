import { compact, type Fields, fields, number, ownValue, text } from "../../fields.ts";
import type { Pass } from "../pass.ts";
import { textFailure } from "../reading/failures.ts";
import { openItems, retractItems } from "../texts.ts";
import { beginTurn, failTurn, finishTurn, reportRetry } from "../turns.ts";
import type { PiState } from "./state.ts";

/** Failures after which the oldest version may retry or compact without announcing it. */
const MAY_RETRY = ["rate_limit", "overloaded", "network", "timeout", "context_overflow", "unknown"];

/**
 * Handles `agent_end`: the model has stopped. Versions differ in how they report the end of the turn: `willRetry` and a
 * later `agent_settled`, `willRetry` alone, `isTerminal`, or not at all.
 */
export function handleAgentEnd(pass: Pass<PiState>, line: Fields): void {
  const { state } = pass;
  if (line.willRetry === true || line.isTerminal === false) return;
  if (line.willRetry === false) {
    state.waiting = "settled";
    return askState(pass);
  }
  const doubtful = line.isTerminal === undefined && state.failure && MAY_RETRY.includes(state.failure.category);
  if (!doubtful) return settle(pass);
  state.waiting = "doubt";
  askState(pass);
}

/**
 * Asks whether the agent still works, unless this process confirms the end of a turn without being asked. What follows
 * the end, such as a retry or a compaction, is announced at once, so the response arrives after it.
 */
function askState(pass: Pass<PiState>): void {
  const { rpc, settles, written } = pass.state;
  if (!rpc || settles) return;
  const key = `settle-${written}`;
  pass.emit({ kind: "send", frame: { msg: { id: key, type: "get_state" }, key, repeat: "safe" } });
}

/** Handles the agent's state while the end of a turn is pending. A state that reports no work means that it is idle. */
export function handleStateWhileWaiting(pass: Pass<PiState>, data: Fields): void {
  const { waiting } = pass.state;
  const isIdle = data.isStreaming !== true && data.isCompacting !== true;
  if (waiting === "doubt" || (waiting === "settled" && isIdle)) settle(pass);
}

/** Handles `agent_settled`. It is late for a turn that ended because the agent was idle. */
export function handleSettled(pass: Pass<PiState>): void {
  pass.state.settles = true;
  if (pass.state.turn === "running") settle(pass);
}

/** Ends the turn according to its last message. */
export function settle(pass: Pass<PiState>): void {
  const { state } = pass;
  const { failure, stop, stopping } = state;
  const cost = takeCost(state);
  // Prompts that the agent accepted under another text; steers may still be echoed.
  state.sent = Object.fromEntries(Object.entries(state.sent).filter(([, sent]) => sent.inline || sent.field));
  Object.assign(state, { waiting: undefined, stop: undefined, stopping: false, asks: {} });
  if (stop === "aborted" || (stopping && failure)) return finishTurn(pass, { outcome: "interrupted", ...cost });
  if (failure) return failTurn(pass, failure, cost);
  finishTurn(
    pass,
    compact({ outcome: "completed", reason: stop === "length" ? "length" : undefined, ...cost } as const),
  );
}

/** Handles the response to a requested compaction and ends its turn. */
export function handleCompactResponse(pass: Pass<PiState>, data: Fields, error: string | undefined): void {
  const { state } = pass;
  const { stopping } = state;
  const cost = takeCost(state);
  Object.assign(state, { compaction: undefined, stopping: false });
  if (error && stopping) return finishTurn(pass, { outcome: "interrupted", ...cost });
  if (error) return failTurn(pass, textFailure(error), cost);
  beginTurn(pass);
  state.worked = true;
  if (!state.compacted) handleCompactionEnd(pass, { result: data, reason: "manual" });
  finishTurn(pass, { outcome: "completed", ...cost });
}

/** Takes the cost of the turn; the next one starts at zero. */
function takeCost(state: PiState): { cost?: { usd: number; source: "agent" } } {
  const usd = state.cost;
  state.cost = undefined;
  return usd ? { cost: { usd, source: "agent" } } : {};
}

/** Handles a retry: text of the failed response is retracted. */
export function handleRetry(pass: Pass<PiState>, line: Fields): void {
  const { state } = pass;
  const error = textFailure(text(line.errorMessage) ?? "");
  state.waiting = undefined;
  retractItems(pass, [...openItems(pass), ...state.spoken], "the request is retried");
  state.spoken = [];
  const details = { attempt: number(line.attempt), max: number(line.maxAttempts), delayMs: number(line.delayMs) };
  reportRetry(pass, { ...compact(details), reason: error.message }, error);
}

/** Handles the failure of the last retry. */
export function handleRetryEnd(pass: Pass<PiState>, line: Fields): void {
  const { state } = pass;
  if (line.success !== false) return;
  state.failure = textFailure(text(line.finalError) ?? state.failure?.message ?? "");
  if (state.waiting === "doubt") settle(pass);
}

const triggers: Record<string, "manual" | "overflow" | "auto"> = { manual: "manual", overflow: "overflow" };

export function handleCompactionStart(pass: Pass<PiState>): void {
  if (pass.state.compaction) beginTurn(pass);
  pass.state.compacted = undefined;
  pass.emit({ kind: "activity", state: "compacting" });
  if (pass.state.waiting === "doubt") pass.state.waiting = "settled";
}

/** Publishes a compaction, or a warning if it failed. */
export function handleCompactionEnd(pass: Pass<PiState>, line: Fields): void {
  const { state } = pass;
  const result = fields(line.result);
  const [before, after] = [number(result.tokensBefore), number(result.estimatedTokensAfter)];
  const done = line.result !== undefined && line.aborted !== true && line.skipped !== true;
  const trigger = ownValue(triggers, text(line.reason)) ?? "auto";
  if (done) pass.event("context.compacted", compact({ trigger, before, after }));
  else if (text(line.errorMessage)) pass.notice("compaction", "warning", text(line.errorMessage) ?? "");
  state.compacted = done || undefined;
  if (state.waiting !== "settled" || line.willRetry === true) return;
  // The oldest version sends nothing more when it gives up.
  if (!done && state.failure) settle(pass);
  else askState(pass);
}
