import { compact, type Fields, fields, number, own, text } from "../../fields.ts";
import { wordsFailure } from "../reading/failures.ts";
import type { Pass } from "../talk.ts";
import { openItems, retractItems } from "../texts.ts";
import { begin, fail, finish, retry } from "../turns.ts";
import type { PiState } from "./state.ts";

/** Failures after which the oldest version may try again, or compact and try again, without saying so first. */
const MAY_GO_ON = ["rate_limit", "overloaded", "network", "timeout", "context_overflow", "unknown"];

/**
 * `agent_end`: the model has nothing more to do. Whether the turn is over is told in three ways: by `willRetry` and a
 * later `agent_settled`, by `isTerminal`, and by the oldest version not at all.
 */
export function stopped(pass: Pass<PiState>, said: Fields): void {
  const { state } = pass;
  if (said.willRetry === true || said.isTerminal === false) return;
  if (said.willRetry === false) {
    state.waiting = "settled";
    return;
  }
  const doubtful = said.isTerminal === undefined && state.failure && MAY_GO_ON.includes(state.failure.category);
  if (!doubtful) return settle(pass);
  state.waiting = "doubt";
  // A retry is announced at once, so the answer to any question comes after it.
  const key = `settle-${state.written}`;
  if (state.rpc) pass.say({ kind: "send", frame: { msg: { id: key, type: "get_state" }, key, repeat: "safe" } });
}

/** The turn is over, with what its last message said of itself. */
export function settle(pass: Pass<PiState>): void {
  const { state } = pass;
  const { failure, stop, stopping } = state;
  const cost = paid(state);
  // Prompts that the agent took under other words; what was said into the turn may still come up.
  state.sent = Object.fromEntries(Object.entries(state.sent).filter(([, sent]) => sent.inline || sent.field));
  Object.assign(state, { waiting: undefined, stop: undefined, stopping: false, asks: {} });
  if (stop === "aborted" || (stopping && failure)) return finish(pass, { outcome: "interrupted", ...cost });
  if (failure) return fail(pass, failure, cost);
  finish(pass, compact({ outcome: "completed", reason: stop === "length" ? "length" : undefined, ...cost } as const));
}

/** The answer to a compaction that a person asked for, and the end of its turn. */
export function compactionEnded(pass: Pass<PiState>, data: Fields, error: string | undefined): void {
  const { state } = pass;
  const { stopping } = state;
  const cost = paid(state);
  Object.assign(state, { compaction: undefined, stopping: false });
  if (error && stopping) return finish(pass, { outcome: "interrupted", ...cost });
  if (error) return fail(pass, wordsFailure(error), cost);
  begin(pass);
  state.worked = true;
  if (!state.compacted) compacted(pass, { result: data, reason: "manual" });
  finish(pass, { outcome: "completed", ...cost });
}

/** What the turn cost, once: the next one begins at nothing. */
function paid(state: PiState): { cost?: { usd: number; source: "agent" } } {
  const usd = state.cost;
  state.cost = undefined;
  return usd ? { cost: { usd, source: "agent" } } : {};
}

/** The last request is tried again; what was shown of its answer is thrown away. */
export function retrying(pass: Pass<PiState>, said: Fields): void {
  const { state } = pass;
  const error = wordsFailure(text(said.errorMessage) ?? "");
  state.waiting = undefined;
  retractItems(pass, [...openItems(pass), ...state.spoken], "the request is tried again");
  state.spoken = [];
  const told = { attempt: number(said.attempt), max: number(said.maxAttempts), delayMs: number(said.delayMs) };
  retry(pass, { ...compact(told), reason: error.message }, error);
}

/** After the last try in vain, which settles what was in doubt. */
export function retried(pass: Pass<PiState>, said: Fields): void {
  const { state } = pass;
  if (said.success !== false) return;
  state.failure = wordsFailure(text(said.finalError) ?? state.failure?.message ?? "");
  if (state.waiting === "doubt") settle(pass);
}

const triggers: Record<string, "manual" | "overflow" | "auto"> = { manual: "manual", overflow: "overflow" };

export function compacting(pass: Pass<PiState>): void {
  if (pass.state.compaction) begin(pass);
  pass.state.compacted = undefined;
  pass.say({ kind: "activity", state: "compacting" });
  if (pass.state.waiting === "doubt") pass.state.waiting = "settled";
}

/** A compaction that did nothing is no compaction; why it did not is worth a word when it was tried. */
export function compacted(pass: Pass<PiState>, said: Fields): void {
  const { state } = pass;
  const result = fields(said.result);
  const [before, after] = [number(result.tokensBefore), number(result.estimatedTokensAfter)];
  const done = said.result !== undefined && said.aborted !== true && said.skipped !== true;
  const trigger = own(triggers, text(said.reason)) ?? "auto";
  if (done) pass.event("context.compacted", compact({ trigger, before, after }));
  else if (text(said.errorMessage)) pass.notice("compaction", "warning", text(said.errorMessage) ?? "");
  state.compacted = done || undefined;
  // The oldest version says nothing more when it does not go on.
  if (state.waiting === "settled" && !done && state.failure && said.willRetry !== true) settle(pass);
}
