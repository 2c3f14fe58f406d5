import type { Draft, Failure, QueuedMessage } from "@gantry/protocol";
import type { Output } from "../../agents/contract.ts";
import { isRefusal } from "../../limits/breaker.ts";
import type { Hold } from "../../limits/gate.ts";
import type { SessionStep } from "./step.ts";
import type { TurnEnd } from "./turns.ts";

/** What the agent is told after a limit that it met in the middle of its work. */
const GO_ON = "Go on.";

export function isHeld({ context: { gate }, view }: SessionStep): boolean {
  return (gate ? gate.hold(view) : view.limit) !== undefined;
}

/**
 * May a turn start? If not, the session is parked: its log says why, and its messages wait. Whatever it waited for
 * before is told to be over when it is.
 */
export function mayStart(step: SessionStep): boolean {
  const { gate } = step.context;
  if (!gate) return !isHeld(step);
  const hold = gate.hold(step.view);
  if (hold) park(step, hold);
  else releaseHold(step);
  return hold === undefined;
}

/** The log says why the session waits; what it says already is not said again. */
export function park(step: SessionStep, hold: Hold): void {
  const { since: _, ...known } = step.view.limit ?? { since: "" };
  if (!step.view.limit || !same(known, hold)) step.emit("limit.reached", hold);
}

export function releaseHold(step: SessionStep): void {
  const { limit } = step.view;
  if (!limit) return;
  const { provider, account, window, resetsAt, source, limit: id } = limit;
  step.emit("limit.cleared", { provider, account, window, resetsAt, source, limit: id });
}

/** Nothing waits in the session any more: then it is not held up either, unless its agent says so itself. */
export function nothingWaits(step: SessionStep): void {
  if (step.view.limit && step.context.gate && !step.context.gate.hold(step.view)) releaseHold(step);
}

/**
 * The messages of a turn that was refused before the agent had done anything wait again, in their order and before all
 * others: nothing is lost, and nothing is done twice.
 */
export function giveBack(step: SessionStep, end: TurnEnd, worked: boolean): void {
  const { gate, turnMessages } = step.context;
  if (!gate?.keeps(step.view) || worked || end.outcome !== "failed" || !isRefusal(end.error)) return;
  const waiting = new Set(step.view.sent.map(({ message }) => message));
  const gone = (turnMessages?.(step.view) ?? []).filter(({ message }) => !waiting.has(message));
  const held = step.view.sent.filter(({ turn }) => turn === step.view.turn?.id);
  for (const entry of [...gone, ...held].reverse()) waitAgain(step, entry, waiting.has(entry.message));
}

function waitAgain(step: SessionStep, entry: QueuedMessage, held: boolean): void {
  const { message, text, attachments, author, tries = 0 } = entry;
  const reason = "the provider's limit was reached before the agent had begun";
  const content = held ? {} : { text, author, ...(attachments.length > 0 ? { attachments } : {}) };
  step.emit("message.delivery", { message, state: "queued", position: 0, ...content, tries: tries + 1, reason });
}

/** What the end of a turn tells of the account's limit. */
export function learn(step: SessionStep, end: TurnEnd, worked: boolean): void {
  const { gate } = step.context;
  if (!gate) return;
  if (end.outcome === "completed") return gate.answered(step.view);
  if (end.outcome === "failed" && isRefusal(end.error)) return refused(step, end.error, worked);
  gate.undecided(step.view);
}

function refused(step: SessionStep, failed: Failure, worked: boolean): void {
  const { gate, goOn } = step.context;
  const hold = gate?.refused(step.view, gate.signal(failed, "failure"));
  if (!gate || !hold) return;
  // What was begun is not begun anew; whether it is gone on with is for the user to say.
  if (worked && goOn) {
    const message = step.context.id("message");
    step.emit("message.user", { message, text: GO_ON, attachments: [], delivery: "auto", author: "gantry" });
    step.emit("message.delivery", { message, state: "queued", position: 0, reason: "after the limit" });
  }
  if (step.view.queue.length > 0) park(step, gate.hold(step.view) ?? hold);
}

/**
 * The agent tries again by itself. When that is against a limit, no other session is to try as well.
 * `false`: nor is this one.
 */
export function mayRetry(step: SessionStep, { failure, delayMs }: Extract<Output, { kind: "retry" }>): boolean {
  const { gate } = step.context;
  if (!gate || !isRefusal(failure) || !step.view.turn) return true;
  const sensible = gate.mayRetry(step.view, delayMs);
  gate.refused(step.view, gate.signal(failure, "retry", delayMs));
  return sensible;
}

/** The agent says itself that it met a limit, or that one is over. */
export function told(step: SessionStep, event: Draft<"limit.reached" | "limit.cleared">): void {
  const { gate } = step.context;
  if (!gate) return step.record(event);
  if (event.type === "limit.cleared") {
    gate.cleared(step.view);
    return releaseHold(step);
  }
  const { account, window, resetsAt } = event.data;
  const hold = gate.refused(step.view, { account, window, resetsAt, source: "agent" });
  if (hold) park(step, hold);
}

function same(known: Record<string, unknown>, hold: Record<string, unknown>): boolean {
  const keys = new Set([...Object.keys(known), ...Object.keys(hold)]);
  return [...keys].every((key) => known[key] === hold[key]);
}
