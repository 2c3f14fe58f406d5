import {
  type Attachment,
  type Delivery,
  GantryError,
  type Interrupted,
  type PatchMessage,
  type Sent,
} from "@gantry/protocol";
import { isHeld, mayStart, nothingWaits, releaseHold } from "./limits.ts";
import type { SessionStep } from "./step.ts";
import { endTurn } from "./turns.ts";

export type NewMessage = { id: string; text: string; attachments: Attachment[]; delivery: Delivery; author: string };

/** How far the agent's process is: a turn can be steered or interrupted by protocol only when the talk is open. */
export type Link = "none" | "starting" | "ready";

/** Admits a message and says what really happened to it. Throws `queue_full`; then nothing has changed. */
export function sendMessage(step: SessionStep, message: NewMessage, link: Link): Sent {
  const { view, context } = step;
  const busy = view.turn !== undefined || view.sent.length > 0 || view.handingTo !== undefined;
  const steers = message.delivery === "steer" || message.delivery === "auto";
  if (!busy && view.queue.length === 0 && !isHeld(step)) {
    releaseHold(step);
    admit(step, message);
    startTurn(step, [message.id], triggerOf(message, "user"));
    return { message: message.id, disposition: "started" };
  }
  if (view.turn && !view.handingTo && steers && context.agent.steer === "inline" && link === "ready") {
    admit(step, message);
    step.emit("message.delivery", { message: message.id, state: "sent" });
    step.effect({ type: "command", command: { type: "steer", message: message.id, ...content(message) } });
    return { message: message.id, disposition: "steered" };
  }
  if (view.queue.length >= context.queueLimit) {
    throw new GantryError("queue_full", `The queue of ${view.id} holds ${context.queueLimit} messages already.`, {
      remedy: "Wait for a turn to end, cancel a queued message, or interrupt.",
    });
  }
  const urgent = message.delivery === "interrupt";
  const position = urgent ? 0 : view.queue.length;
  admit(step, message);
  step.emit("message.delivery", { message: message.id, state: "queued", position });
  if (urgent && view.turn) {
    interruptTurn(step, link);
    return { message: message.id, disposition: "interrupting", position };
  }
  drain(step);
  return { message: message.id, disposition: "queued", position };
}

function admit(step: SessionStep, message: NewMessage): void {
  const { id, text, attachments, delivery, author } = message;
  bringBack(step);
  step.emit("message.user", { message: id, text, attachments, delivery, author });
}

/** Nothing goes on in a session that is put away. */
function bringBack(step: SessionStep): void {
  if (step.view.archived) step.emit("session.updated", { patch: { archived: false }, reason: "a message" });
}

function content(message: { text: string; attachments: Attachment[] }) {
  return { text: message.text, attachments: message.attachments };
}

type Trigger = "user" | "queue" | "handoff" | "schedule";

/** Who began it tells more than that it had to wait. */
function triggerOf({ author }: { author?: string }, otherwise: Trigger): Trigger {
  return author?.startsWith("schedule:") ? "schedule" : otherwise;
}

/** Starts a turn with messages that the view holds as sent or queued. */
export function startTurn(step: SessionStep, messages: string[], trigger: Trigger): void {
  const turn = step.context.id("turn");
  bringBack(step);
  step.context.gate?.started(step.view);
  for (const message of messages) step.emit("message.delivery", { message, state: "sent" }, { turn });
  step.emit("turn.started", { trigger, messages }, { turn });
  for (const entry of step.view.sent.filter((sent) => messages.includes(sent.message))) {
    step.effect({ type: "command", command: { type: "prompt", message: entry.message, ...content(entry) } });
  }
}

/** The next queued message gets its turn, unless something is under way. Called on every way a turn can end. */
export function drain(step: SessionStep): void {
  const { view } = step;
  if (view.turn || view.ended) return;
  if (view.handingTo) return step.effect({ type: "handoff" });
  if (view.sent.length > 0) return;
  const next = view.queue[0];
  if (!next) return nothingWaits(step);
  if (mayStart(step)) startTurn(step, [next.message], triggerOf(next, "queue"));
}

export function interrupt(step: SessionStep, queue: "keep" | "clear", link: Link): Interrupted {
  const waiting = step.view.queue.map((entry) => entry.message);
  const cancelled = queue === "clear" ? waiting : [];
  for (const message of cancelled) {
    step.emit("message.delivery", { message, state: "cancelled", reason: "cleared with the interrupt" });
  }
  const interrupted = step.view.turn !== undefined;
  if (interrupted) interruptTurn(step, link);
  else drain(step);
  return { interrupted, kept: queue === "clear" ? [] : waiting, cancelled };
}

/** By protocol where the talk is open; otherwise there is nobody to tell and the turn ends here. */
export function interruptTurn(step: SessionStep, link: Link): void {
  if (link === "ready") {
    step.effect({ type: "command", command: { type: "interrupt" } });
    return;
  }
  endTurn(step, { outcome: "interrupted", reason: "interrupted before the agent had begun" }, true);
  step.effect({ type: "stop", reason: "interrupted" });
  drain(step);
}

export function editMessage(step: SessionStep, message: string, change: PatchMessage): void {
  requireQueued(step, message);
  if (change.text !== undefined) step.emit("message.delivery", { message, state: "edited", text: change.text });
  if (change.position === undefined) return;
  const position = Math.min(change.position, step.view.queue.length - 1);
  step.emit("message.delivery", { message, state: "queued", position });
}

export function cancelMessage(step: SessionStep, message: string): void {
  requireQueued(step, message);
  step.emit("message.delivery", { message, state: "cancelled", reason: "cancelled by the user" });
  drain(step);
}

function requireQueued(step: SessionStep, message: string): void {
  if (step.view.queue.some((entry) => entry.message === message)) return;
  throw new GantryError("already_sent", `${message} is no longer in the queue, so it cannot be changed.`);
}
