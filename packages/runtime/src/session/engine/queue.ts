import {
  type Attachment,
  type Comment,
  type Delivery,
  GantryError,
  type PatchMessage,
  pendingSteers,
  type QueuedMessage,
  type QueueState,
  type Sent,
  type SessionView,
} from "@gantry/protocol";
import { commentsFor, markSent, withComments } from "./comments/send-comments.ts";
import { isHeld, mayStartTurn, offerProbe, releaseHold, releaseUnusedHold } from "./limits.ts";
import type { TurnTrigger } from "./state.ts";
import type { SessionStep } from "./step.ts";
import { endTurn, startTurn, unarchive } from "./turns.ts";

export type NewMessage = { id: string; text: string; attachments: Attachment[]; delivery: Delivery; author: string };

/** No turn runs and none starts without a person: nothing is queued, or the queue is paused. */
export function isIdle({ turn, queue, queueState, sent }: SessionView): boolean {
  return turn === undefined && (queue.length === 0 || queueState === "paused") && sent.length === 0;
}

/** Admits a message and returns what happened to it. Throws `queue_full`, with nothing changed. */
export function sendMessage(step: SessionStep, given: NewMessage): Sent {
  const { view, context } = step;
  const comments = commentsFor(view, given);
  const message = { ...given, text: withComments(given.text, comments), comments };
  const busy = view.turn !== undefined || view.sent.length > 0 || view.handingTo !== undefined;
  const steers = message.delivery === "steer" || message.delivery === "auto";
  if (message.author === "user" && (view.queueState !== "paused" || overtakesQueue(view, message))) offerProbe(step);
  if (!busy && overtakesQueue(view, message) && !isHeld(step)) {
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
  if (urgent && view.turn) withdrawSteers(step);
  const position = urgent ? 0 : step.view.queue.length;
  admit(step, message);
  step.emit("message.delivery", { message: message.id, state: "queued", position });
  if (urgent && view.turn) {
    interruptTurn(step);
    return { message: message.id, disposition: "interrupting", position };
  }
  drainQueue(step);
  return { message: message.id, disposition: "queued", position };
}

/** A person's message starts at once next to a paused queue, and the queue stays paused. Other messages wait in it. */
function overtakesQueue({ queue, queueState }: SessionView, { author, delivery }: NewMessage): boolean {
  return queueState === "paused" ? author === "user" && delivery !== "queue" : queue.length === 0;
}

function admit(step: SessionStep, message: NewMessage & { comments: readonly Comment[] }): void {
  const { id, text, attachments, delivery, author, comments } = message;
  unarchive(step);
  step.emit("message.user", { message: id, text, attachments, delivery, author });
  markSent(step, comments, id);
}

type Steered = Pick<NewMessage, "id" | "text" | "attachments"> & { tries?: number };

function steer(step: SessionStep, { id: message, text, attachments, tries }: Steered): void {
  step.emit("message.delivery", { message, state: "sent" });
  const loaded = step.context.loadAttachments?.(attachments) ?? attachments;
  const again = tries === undefined ? {} : { tries };
  const result = step.sendCommand({ type: "steer", message, text, attachments: loaded, ...again });
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

/**
 * Starts a turn with the next queued message, unless something runs. Called wherever a turn can end. A paused queue starts
 * only a message that a person chose to send now.
 */
export function drainQueue(step: SessionStep): void {
  const { view } = step;
  if (view.turn || view.ended) return;
  if (view.handingTo) return step.effect({ type: "handoff" });
  if (view.sent.length > 0) return;
  const next = view.queue[0];
  if (!next) return releaseUnusedHold(step);
  if (view.queueState === "paused" && next.delivery !== "interrupt") return;
  if (mayStartTurn(step)) startTurn(step, [next.message], triggerOf(next, "queue"));
}

/** The agent dropped a message before it worked on it. */
export function requeueDropped(step: SessionStep, message: string, reason: string): void {
  const { sent, turn } = step.view;
  const entry = sent.find((other) => other.message === message);
  if (!entry) return;
  // The stopped turn's own message is not run again.
  if (turn?.stopping && entry.turn === turn.id)
    return step.emit("message.delivery", { message, state: "cancelled", reason: "the turn was stopped" });
  step.emit("message.delivery", { message, state: "queued", position: 0, reason });
  drainQueue(step);
}

/**
 * Takes pending steers back, so that none of them starts a separate turn after the running one was stopped. They return
 * to the head of the queue in their order. The agent is asked to forget them; if it read one before, it confirms that.
 */
export function withdrawSteers(step: SessionStep): void {
  const reason = "the turn was stopped before the agent read it";
  for (const { message, tries = 0 } of pendingSteers(step.view).reverse()) {
    step.sendCommand({ type: "retract", message, tries });
    step.emit("message.delivery", { message, state: "queued", position: 0, tries: tries + 1, reason });
  }
}

/** Asks the agent to stop. Without an open conversation, or a command for it, the turn ends at once. */
export function interruptTurn(step: SessionStep): void {
  const result = step.isReady ? step.sendCommand({ type: "interrupt" }) : "not connected";
  if (result === "sent") {
    if (step.view.turn?.stopping) return;
    return step.emit("session.updated", { patch: { stopping: true }, reason: "stop requested" });
  }
  const reason = result === "unsupported" ? "its process was ended" : "interrupted before the agent started";
  endTurn(step, { outcome: "interrupted", reason }, true);
  step.effect({ type: "stop", reason: "interrupted" });
  drainQueue(step);
}

/** Pauses the queue, or resumes it. */
export function changeQueue(step: SessionStep, state: QueueState): void {
  if ((step.view.queueState ?? "running") === state) return;
  step.emit("session.updated", {
    patch: { queueState: state },
    reason: `queue ${state === "paused" ? "paused" : "resumed"}`,
  });
  if (state === "running") drainQueue(step);
}

export function editMessage(step: SessionStep, { message, change }: { message: string; change: PatchMessage }): void {
  requireQueued(step, message);
  const { text, position, delivery } = change;
  if (text !== undefined) step.emit("message.delivery", { message, state: "edited", text });
  if (position !== undefined) {
    const place = Math.min(position, step.view.queue.length - 1);
    step.emit("message.delivery", { message, state: "queued", position: place });
  }
  if (delivery) sendNow(step, message, delivery);
}

/** Sends a queued message at once. The other messages and the state of the queue do not change. */
function sendNow(step: SessionStep, message: string, delivery: "steer" | "interrupt"): void {
  const { view } = step;
  if (delivery === "steer" && view.turn) {
    requireSteerable(step);
    return steer(step, { ...requireQueued(step, message), id: message });
  }
  if (view.turn) withdrawSteers(step);
  offerProbe(step);
  step.emit("message.delivery", { message, state: "queued", position: 0, delivery: "interrupt" });
  if (view.turn) interruptTurn(step);
  else drainQueue(step);
}

function requireSteerable({ view, context, isReady }: SessionStep): void {
  const remedy = "Send it with `interrupt`, or leave it in the queue.";
  const { name, steer: how } = context.agent;
  if (how !== "inline")
    throw new GantryError("unsupported", `${name} does not accept messages during a turn.`, { remedy });
  if (!isReady || view.handingTo || view.turn?.stopping)
    throw new GantryError("conflict", `${name} does not accept a message at this moment.`, { remedy });
}

/** `asked`: the agent was asked to give the message back, and answers later. */
export function cancelMessage(step: SessionStep, message: string): "cancelled" | "asked" {
  const steered = pendingSteers(step.view).find((entry) => entry.message === message);
  if (!steered) {
    requireQueued(step, message);
    step.emit("message.delivery", { message, state: "cancelled", reason: "cancelled by the user" });
    drainQueue(step);
    return "cancelled";
  }
  if (step.sendCommand({ type: "retract", message, tries: steered.tries ?? 0 }) === "sent") return "asked";
  throw new GantryError("already_read", `${message} was sent to the agent, which does not give messages back.`, {
    remedy: "Stop the turn, or send another message.",
  });
}

/** The agent answered a request to give a message back. */
export function retractMessage(step: SessionStep, message: string, isRetracted: boolean): void {
  step.retracted.push({ message, ok: isRetracted });
  if (!isRetracted || !pendingSteers(step.view).some((entry) => entry.message === message)) return;
  step.emit("message.delivery", { message, state: "cancelled", reason: "taken back before the agent read it" });
  drainQueue(step);
}

function requireQueued(step: SessionStep, message: string): QueuedMessage {
  const entry = step.view.queue.find((other) => other.message === message);
  if (entry) return entry;
  throw new GantryError("already_sent", `${message} is no longer in the queue, so it cannot be changed.`);
}
