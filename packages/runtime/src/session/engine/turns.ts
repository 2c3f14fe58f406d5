import { type Failure, withOffer } from "@gantry/protocol";
import { settleHandoff } from "./handoff/outcome.ts";
import { closeOpenItems, isProposal, settleDeliveries } from "./items.ts";
import { learnFromTurn, requeueRefused } from "./limits.ts";
import type { TurnEnd, TurnTrigger } from "./state.ts";
import type { SessionStep } from "./step.ts";

/** Starts a turn with messages that the view holds as sent or queued. The prompt follows at the end of the step. */
export function startTurn(step: SessionStep, messages: string[], trigger: TurnTrigger): void {
  const turn = step.context.id("turn");
  unarchive(step);
  closeProposals(step);
  step.context.gate?.started(step.view);
  for (const message of messages) step.emit("message.delivery", { message, state: "sent" }, { turn });
  step.emit("turn.started", { trigger, messages }, { turn });
}

/** A plan that waits for an answer is superseded by another turn. */
function closeProposals(step: SessionStep): void {
  const reason = "another turn started";
  for (const input of step.view.inputs) {
    if (isProposal(input))
      step.emit("input.resolved", { id: input.id, decision: "cancel", by: "gantry", reason }, { synthetic: true });
  }
}

export function unarchive(step: SessionStep): void {
  if (step.view.archived) step.emit("session.updated", { patch: { archived: false }, reason: "a message" });
}

/** The agent works without a turn of ours: for a steered message that became its own turn, or unprompted. */
export function adoptTurn(step: SessionStep, messages: readonly string[]): void {
  closeProposals(step);
  const { sent, queue, queueState } = step.view;
  const ours = sent.filter((entry) => messages.length === 0 || messages.includes(entry.message));
  const turn = step.context.id("turn");
  // Withdrawn messages that the agent started on nevertheless.
  const queued = queueState === "paused" ? [] : queue.filter(({ message }) => messages.includes(message));
  for (const { message } of queued) step.emit("message.delivery", { message, state: "sent" }, { turn });
  const ids = [...ours, ...queued].map((entry) => entry.message);
  step.emit("turn.started", { trigger: ids.length > 0 ? "steer" : "resume", messages: ids }, { turn });
}

/** Ends everything that is open in the turn, then the turn itself. Without a turn it only closes what is open. */
export function endTurn(step: SessionStep, end: TurnEnd, synthetic: boolean): void {
  const worked = step.hasWorked;
  closeOpenItems(
    step,
    end.outcome === "completed" ? "the turn ended without an answer" : `the turn was ${end.outcome}`,
  );
  const turn = step.view.turn;
  if (!turn) return;
  // A brief for the next agent must not be requeued for the agent before it.
  if (!step.view.handoff) requeueRefused(step, end, worked);
  settleDeliveries(step, turn.id, end);
  const { ext, ...rest } = withListPrice(step, end);
  const { firstOutput } = step;
  const ttft = firstOutput?.turn === turn.id ? { ttftMs: firstOutput.ms } : {};
  const data = { ...rest, ...(end.error ? { error: withLoginOffer(step, end.error) } : {}), ...ttft };
  // A failure with a setup command also gets its own event, once.
  if (data.error?.offer && step.view.trouble !== data.error.category) step.emit("error", data.error, { synthetic });
  step.emit("turn.ended", data, {
    turn: turn.id,
    synthetic,
    ...(ext === undefined ? {} : { ext: { [step.context.agent.id]: ext } }),
  });
  for (const text of step.context.gate?.warnings(step.view, rest) ?? [])
    step.emit("notice", { kind: "budget", severity: "warning", text });
  learnFromTurn(step, end, worked);
  settleHandoff(step, end);
}

/** The agent's own cost wins. If it reports tokens only, the list price applies. */
function withListPrice(step: SessionStep, end: TurnEnd): TurnEnd {
  if (end.cost || !end.usage) return end;
  const model = end.servedModel ?? step.view.servedModel ?? step.view.model;
  const usd = model === undefined ? undefined : step.context.price?.(model, end.usage);
  return usd === undefined ? end : { ...end, cost: { usd, source: "list" } };
}

/** Adds the login command to an authentication failure. */
export function withLoginOffer(step: SessionStep, failed: Failure): Failure {
  if (failed.category !== "auth" || failed.offer) return failed;
  return withOffer(failed, step.context.agent.loginOffer?.());
}
