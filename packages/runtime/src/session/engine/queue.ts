import {
  type Attachment,
  type Delivery,
  GantryError,
  type Interrupted,
  type PatchMessage,
  type Sent,
  type SessionView,
} from "@gantry/protocol";
import { isHeld, mayStartTurn, releaseHold, releaseUnusedHold } from "./limits.ts";
import type { TurnTrigger } from "./state.ts";
import type { SessionStep } from "./step.ts";
import { endTurn, startTurn, unarchive } from "./turns.ts";

export type NewMessage = { id: string; text: string; attachments: Attachment[]; delivery: Delivery; author: string };

/** No turn runs and nothing is queued. */
export function isIdle({ turn, queue, sent }: SessionView): boolean {
  return turn === undefined && queue.length === 0 && sent.length === 0;
}

/** Admits a message and returns what happened to it. Throws `queue_full`, with nothing changed. */
export function sendMessage(step: SessionStep, message: NewMessage): Sent {
  const { view, context } = step;
  const busy = view.turn !== undefined || view.sent.length > 0 || view.handingTo !== undefined;
  const steers = message.delivery === "steer" || message.delivery === "auto";
  if (!busy && view.queue.length === 0 && !isHeld(step)) {
    releaseHold(step);
    admit(step, message);
    startTurn(step, [message.id], triggerOf(message, "user"));
    return { message: message.id, disposition: "started" };
  }
  if (view.turn && !view.handingTo && steers && context.agent.steer === "inline" && step.isReady) {
    admit(step, message);
    steer(step, message);
    return { message: message.id, disposition: "steered" };
  }
  if (view.queue.length >= context.queueLimit) {
    throw new GantryError("queue_full", `The queue of ${view.id} is full (${context.queueLimit} messages).`, {
      remedy: "Wait for a turn to end, cancel a queued message, or interrupt.",
    });
  }
  const urgent = message.delivery === "interrupt";
  const position = urgent ? 0 : view.queue.length;
  admit(step, message);
  step.emit("message.delivery", { message: message.id, state: "queued", position });
  if (urgent && view.turn) {
    interruptTurn(step);
    return { message: message.id, disposition: "interrupting", position };
  }
  drainQueue(step);
  return { message: message.id, disposition: "queued", position };
}

function admit(step: SessionStep, message: NewMessage): void {
  const { id, text, attachments, delivery, author } = message;
  unarchive(step);
  step.emit("message.user", { message: id, text, attachments, delivery, author });
}

function steer(step: SessionStep, { id: message, text, attachments }: NewMessage): void {
  step.emit("message.delivery", { message, state: "sent" });
  const loaded = step.context.loadAttachments?.(attachments) ?? attachments;
  const result = step.sendCommand({ type: "steer", message, text, attachments: loaded });
  if (result === "sent" && step.conversation) {
    step.conversation.prompted = [...step.conversation.prompted, message];
  }
  if (result === "unsupported") {
    step.emit("message.delivery", { message, state: "queued", position: 0, reason: "cannot be steered" });
  }
}

/** A schedule stays the trigger even if its message had to queue. */
function triggerOf({ author }: { author?: string }, otherwise: TurnTrigger): TurnTrigger {
  return author?.startsWith("schedule:") ? "schedule" : otherwise;
}

/** Starts a turn with the next queued message, unless something runs. Called wherever a turn can end. */
export function drainQueue(step: SessionStep): void {
  const { view } = step;
  if (view.turn || view.ended) return;
  if (view.handingTo) return step.effect({ type: "handoff" });
  if (view.sent.length > 0) return;
  const next = view.queue[0];
  if (!next) return releaseUnusedHold(step);
  if (mayStartTurn(step)) startTurn(step, [next.message], triggerOf(next, "queue"));
}

/** The agent dropped a message before it worked on it. */
export function requeueDropped(step: SessionStep, message: string, reason: string): void {
  if (!step.view.sent.some((entry) => entry.message === message)) return;
  step.emit("message.delivery", { message, state: "queued", position: 0, reason });
  drainQueue(step);
}

export function interrupt(step: SessionStep, queue: "keep" | "clear"): Interrupted {
  const waiting = step.view.queue.map((entry) => entry.message);
  const cancelled = queue === "clear" ? waiting : [];
  for (const message of cancelled) {
    step.emit("message.delivery", { message, state: "cancelled", reason: "cleared with the interrupt" });
  }
  const interrupted = step.view.turn !== undefined;
  if (interrupted) interruptTurn(step);
  else drainQueue(step);
  return { interrupted, kept: queue === "clear" ? [] : waiting, cancelled }; // prose-ignore: a field of the API
}

/** Asks the agent to stop. Without an open conversation, or a command for it, the turn ends at once. */
export function interruptTurn(step: SessionStep): void {
  const result = step.isReady ? step.sendCommand({ type: "interrupt" }) : "not connected";
  if (result === "sent") {
    step.signals.interrupted = true;
    return;
  }
  const reason = result === "unsupported" ? "its process was ended" : "interrupted before the agent started";
  endTurn(step, { outcome: "interrupted", reason }, true);
  step.effect({ type: "stop", reason: "interrupted" });
  drainQueue(step);
}

export function editMessage(step: SessionStep, { message, change }: { message: string; change: PatchMessage }): void {
  requireQueued(step, message);
  if (change.text !== undefined) step.emit("message.delivery", { message, state: "edited", text: change.text });
  if (change.position === undefined) return;
  const position = Math.min(change.position, step.view.queue.length - 1);
  step.emit("message.delivery", { message, state: "queued", position });
}

export function cancelMessage(step: SessionStep, message: string): void {
  requireQueued(step, message);
  step.emit("message.delivery", { message, state: "cancelled", reason: "cancelled by the user" });
  drainQueue(step);
}

function requireQueued(step: SessionStep, message: string): void {
  if (step.view.queue.some((entry) => entry.message === message)) return;
  throw new GantryError("already_sent", `${message} is no longer in the queue, so it cannot be changed.`);
}
