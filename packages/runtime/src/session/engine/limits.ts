import type { Draft, Failure, QueuedMessage } from "@gantry/protocol";
import type { Output } from "../../agents/contract.ts";
import { isHoldable, isRefusal } from "../../limits/breaker/breaker.ts";
import type { Hold } from "../../limits/gate.ts";
import type { TurnEnd } from "./state.ts";
import type { SessionStep } from "./step.ts";

/** Sent to the agent after a limit cut its work off. */
const CONTINUE_PROMPT = "Continue.";

/** A person sends a message: it is the probe of a limit without a known end. A busy session asks for no probe. */
export function offerProbe({ context: { gate }, view }: SessionStep): void {
  if (!view.turn && view.sent.length === 0 && !view.handingTo) gate?.offerProbe(view);
}

export function isHeld({ context: { gate }, view }: SessionStep): boolean {
  return (gate ? gate.hold(view) : view.limit) !== undefined;
}

/** May a turn start? If not, the session is held: the log has the reason, and the messages stay queued. */
export function mayStartTurn(step: SessionStep): boolean {
  const { gate } = step.context;
  if (!gate) return !isHeld(step);
  const hold = gate.hold(step.view);
  if (hold) recordHold(step, hold);
  else releaseHold(step);
  return hold === undefined;
}

/** Records the hold, unless the view has the same one. */
function recordHold(step: SessionStep, hold: Hold): void {
  const { since: _, ...current } = step.view.limit ?? { since: "" };
  if (!step.view.limit || !isSameHold(current, hold)) step.emit("limit.reached", hold);
}

export function releaseHold(step: SessionStep): void {
  const { limit } = step.view;
  if (!limit) return;
  const { provider, account, window, resetsAt, source, limit: id } = limit;
  step.emit("limit.cleared", { provider, account, window, resetsAt, source, limit: id });
}

/** An empty queue needs no hold, unless the agent itself reported the limit. */
export function releaseUnusedHold(step: SessionStep): void {
  if (step.view.limit && step.context.gate && !step.context.gate.hold(step.view)) releaseHold(step);
}

/**
 * A turn that was refused before the agent did anything puts its messages back at the head of the queue, in their order:
 * nothing is lost and nothing runs twice.
 */
export function requeueRefused(step: SessionStep, end: TurnEnd, worked: boolean): void {
  const { gate, turnMessages } = step.context;
  if (!gate?.keeps(step.view) || worked || end.outcome !== "failed" || !isHoldable(end.error)) return;
  const unconfirmed = new Set(step.view.sent.map(({ message }) => message));
  const confirmed = (turnMessages?.(step.view) ?? []).filter(({ message }) => !unconfirmed.has(message));
  const sent = step.view.sent.filter(({ turn }) => turn === step.view.turn?.id);
  for (const entry of [...confirmed, ...sent].reverse()) requeue(step, entry, unconfirmed.has(entry.message));
}

function requeue(step: SessionStep, entry: QueuedMessage, inView: boolean): void {
  const { message, text, attachments, author, tries = 0 } = entry;
  const reason = "the provider refused the request before the agent started";
  const content = inView ? {} : { text, author, ...(attachments.length > 0 ? { attachments } : {}) };
  // A paused queue did not hold it before.
  const urgent = step.view.queueState === "paused" ? { delivery: "interrupt" as const } : {};
  const data = { message, position: 0, ...content, ...urgent, tries: tries + 1, reason };
  step.emit("message.delivery", { ...data, state: "queued" });
}

/** Updates the account's limit from the end of a turn. */
export function learnFromTurn(step: SessionStep, end: TurnEnd, worked: boolean): void {
  const { gate } = step.context;
  if (!gate) return;
  if (end.outcome === "completed") return gate.answered(step.view);
  if (end.outcome === "failed" && isHoldable(end.error)) return learnFromRefusal(step, end.error, worked);
  gate.undecided(step.view);
}

function learnFromRefusal(step: SessionStep, failed: Failure, worked: boolean): void {
  const { gate, continueAfterLimit } = step.context;
  const hold = gate?.refused(step.view, gate.signal(failed, "failure"));
  if (!gate || !hold) return;
  // Started work is not repeated. A setting decides whether it is continued.
  if (worked && continueAfterLimit) {
    const message = step.context.id("message");
    step.emit("message.user", { message, text: CONTINUE_PROMPT, attachments: [], delivery: "auto", author: "gantry" });
    step.emit("message.delivery", { message, state: "queued", position: 0, reason: "after the limit" });
  }
  if (step.view.queue.length > 0) recordHold(step, gate.hold(step.view) ?? hold);
}

/**
 * The agent retries without a request of Gantry. If it retries against a limit, other sessions must not. `false`: nor may
 * this one. Retries against an overload are left to the agent until it gives up.
 */
export function mayRetry(step: SessionStep, { failure, delayMs }: Extract<Output, { kind: "retry" }>): boolean {
  const { gate } = step.context;
  if (!gate || !isRefusal(failure) || !step.view.turn) return true;
  const sensible = gate.mayRetry(step.view, delayMs);
  gate.refused(step.view, gate.signal(failure, "retry", delayMs));
  return sensible;
}

/** The agent reports a limit, or the end of one. */
export function recordLimit(step: SessionStep, event: Draft<"limit.reached" | "limit.cleared">): void {
  const { gate } = step.context;
  if (!gate) return step.record(event);
  if (event.type === "limit.cleared") {
    gate.cleared(step.view);
    return releaseHold(step);
  }
  const { account, window, resetsAt } = event.data;
  const hold = gate.refused(step.view, { account, window, resetsAt, source: "agent" });
  if (hold) recordHold(step, hold);
}

function isSameHold(current: Record<string, unknown>, hold: Record<string, unknown>): boolean {
  const keys = new Set([...Object.keys(current), ...Object.keys(hold)]);
  return [...keys].every((key) => current[key] === hold[key]);
}
