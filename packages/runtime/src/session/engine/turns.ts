import { type Failure, type TurnOutcome, type Usage, withOffer } from "@gantry/protocol";
import { settleHandoff } from "./handoff-outcome.ts";
import { giveBack, learn } from "./limits.ts";
import type { SessionStep } from "./step.ts";

export type TurnEnd = {
  outcome: TurnOutcome;
  reason?: string;
  usage?: Usage;
  cost?: { usd: number; source: "agent" | "list" };
  servedModel?: string;
  error?: Failure;
  durationMs?: number;
  ext?: unknown;
};

/**
 * Ends the turn: first everything that was started in it and that the agent left open, then the turn itself.
 * Without a running turn it only closes what is open.
 */
export function endTurn(step: SessionStep, end: TurnEnd, synthetic: boolean): void {
  const { worked } = step;
  closeOpen(step, end.outcome === "completed" ? "the turn ended without an answer" : `the turn was ${end.outcome}`);
  const turn = step.view.turn;
  if (!turn) return;
  // What was meant for the next agent of a handoff is not for the one that the session goes back to.
  if (!step.view.handoff) giveBack(step, end, worked);
  settleMessages(step, turn.id, end);
  const { ext, ...rest } = priced(step, end);
  const data = end.error ? { ...rest, error: offered(step, end.error) } : rest;
  // What a person can mend with one command is told by an event of its own, once.
  if (data.error?.offer && step.view.trouble !== data.error.category) step.emit("error", data.error, { synthetic });
  step.emit("turn.ended", data, {
    turn: turn.id,
    synthetic,
    ...(ext === undefined ? {} : { ext: { [step.context.agent.id]: ext } }),
  });
  for (const text of step.context.gate?.warnings(step.view, rest) ?? [])
    step.emit("notice", { kind: "budget", severity: "warning", text });
  learn(step, end, worked);
  settleHandoff(step, end);
}

/** The agent's own figure counts; where it tells tokens alone, what they cost by the list. */
function priced(step: SessionStep, end: TurnEnd): TurnEnd {
  if (end.cost || !end.usage) return end;
  const model = end.servedModel ?? step.view.servedModel ?? step.view.model;
  const usd = model === undefined ? undefined : step.context.price?.(model, end.usage);
  return usd === undefined ? end : { ...end, cost: { usd, source: "list" } };
}

/** A failure with the command that would mend it: one that a login would. */
export function offered(step: SessionStep, failed: Failure): Failure {
  if (failed.category !== "auth" || failed.offer) return failed;
  return withOffer(failed, step.context.agent.loginOffer?.());
}

/** Gives every open tool, text, subagent and input its one end, marked as ours. */
export function closeOpen(step: SessionStep, reason: string): void {
  for (const input of step.view.inputs) {
    step.emit("input.resolved", { id: input.id, decision: "cancel", by: "gantry", reason }, { synthetic: true });
  }
  closeTexts(step);
  for (const tool of step.view.tools) {
    const output = step.open.get(`${tool.item} output`)?.text;
    step.settle(tool.item);
    step.emit("tool.ended", { item: tool.item, status: "interrupted", output }, { synthetic: true });
  }
  for (const { id } of step.view.subagents) {
    step.emit("subagent.ended", { id, status: "interrupted" }, { synthetic: true });
  }
  step.open.clear();
}

/** Texts that were streamed and never said to be whole are kept as far as they came. */
function closeTexts(step: SessionStep): void {
  for (const { item, channel, text } of [...step.open.values()]) {
    if (channel === "text") step.emit("message.done", { item, text }, { synthetic: true });
    if (channel === "reasoning") step.emit("reasoning.done", { item, text }, { synthetic: true });
    if (channel === "text" || channel === "reasoning") step.settle(item);
  }
}

/** A message of the turn that the agent never confirmed: it had it if it worked, otherwise it is given back. */
function settleMessages(step: SessionStep, turn: string, end: TurnEnd): void {
  const unconfirmed = step.view.sent.filter((message) => message.turn === turn);
  for (const { message } of unconfirmed) {
    const reached = end.outcome === "completed";
    const state = reached ? "delivered" : end.outcome === "interrupted" ? "cancelled" : "failed";
    step.emit("message.delivery", { message, state, ...(reached ? {} : { reason: end.error?.message ?? end.reason }) });
  }
}
