import type { Failure, TurnOutcome, Usage } from "@gantry/protocol";
import type { Transition } from "./transition.ts";

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
export function endTurn(step: Transition, end: TurnEnd, synthetic: boolean): void {
  closeOpen(step, end.outcome === "completed" ? "the turn ended without an answer" : `the turn was ${end.outcome}`);
  const turn = step.view.turn;
  if (!turn) return;
  settleMessages(step, turn.id, end);
  const { ext, ...data } = end;
  step.emit("turn.ended", data, {
    turn: turn.id,
    synthetic,
    ...(ext === undefined ? {} : { ext: { [step.context.agent.id]: ext } }),
  });
}

/** Gives every open tool, text, subagent and input its one end, marked as ours. */
export function closeOpen(step: Transition, reason: string): void {
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
function closeTexts(step: Transition): void {
  for (const { item, channel, text } of [...step.open.values()]) {
    if (channel === "text") step.emit("message.done", { item, text }, { synthetic: true });
    if (channel === "reasoning") step.emit("reasoning.done", { item, text }, { synthetic: true });
    if (channel === "text" || channel === "reasoning") step.settle(item);
  }
}

/** A message of the turn that the agent never confirmed: it had it if it worked, otherwise it is given back. */
function settleMessages(step: Transition, turn: string, end: TurnEnd): void {
  const unconfirmed = step.view.sent.filter((message) => message.turn === turn);
  for (const { message } of unconfirmed) {
    const reached = end.outcome === "completed";
    const state = reached ? "delivered" : end.outcome === "interrupted" ? "cancelled" : "failed";
    step.emit("message.delivery", { message, state, ...(reached ? {} : { reason: end.error?.message ?? end.reason }) });
  }
}
