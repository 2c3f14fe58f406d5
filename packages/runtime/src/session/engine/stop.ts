import type { Interrupted, QueueOnStop, SessionView } from "@gantry/protocol";
import { confirmDelivery } from "./items.ts";
import { drainQueue, interruptTurn, withdrawSteers } from "./queue.ts";
import type { TurnEnd } from "./state.ts";
import type { SessionStep } from "./step.ts";
import { adoptTurn, endTurn } from "./turns.ts";

/** Stops the running turn. Messages that the agent has not read are held, run next, or are cancelled. */
export function interrupt(step: SessionStep, queue: QueueOnStop): Interrupted {
  withdrawSteers(step);
  const waiting = step.view.queue.map((entry) => entry.message);
  if (queue === "clear") cancelAll(step, waiting);
  if (queue === "pause") pauseQueue(step);
  const interrupted = step.view.turn !== undefined;
  if (interrupted) interruptTurn(step);
  else drainQueue(step);
  const clears = queue === "clear";
  const paused = step.view.queueState === "paused";
  return { interrupted, paused, kept: clears ? [] : waiting, cancelled: clears ? waiting : [] }; // prose-ignore: a field of the API
}

function cancelAll(step: SessionStep, messages: readonly string[]): void {
  for (const message of messages)
    step.emit("message.delivery", { message, state: "cancelled", reason: "cleared with the interrupt" });
}

/** Holds every queued message, also one that was about to start next. An empty queue has nothing to hold. */
function pauseQueue(step: SessionStep): void {
  const { queue, queueState } = step.view;
  if (queue.length === 0) return;
  queue.forEach(({ message, delivery }, position) => {
    if (delivery === "interrupt")
      step.emit("message.delivery", { message, state: "queued", position, delivery: "auto" });
  });
  if (queueState !== "paused")
    step.emit("session.updated", { patch: { queueState: "paused" }, reason: "stop requested" });
}

/**
 * The agent works without a turn of ours. If it works on a message that a Stop holds, it is stopped at once: the message
 * stays queued.
 */
export function adoptAgentTurn(step: SessionStep, messages: readonly string[]): void {
  if (step.view.turn) return;
  const isHeld = messages.some((message) => isHeldMessage(step.view, message));
  adoptTurn(step, messages);
  if (isHeld) interruptTurn(step);
}

/**
 * The agent has a message. Some agents start a turn first and name its message later: if that is a held one, the turn is
 * stopped, and the message stays queued.
 */
export function confirmMessage(step: SessionStep, message: string, inline: boolean): void {
  const { turn } = step.view;
  const isAgentsTurn = turn !== undefined && turn.messages.length === 0;
  if (!isAgentsTurn || inline || !isHeldMessage(step.view, message)) return confirmDelivery(step, message, inline);
  if (!turn.stopping) interruptTurn(step);
}

function isHeldMessage({ queue, queueState }: SessionView, message: string): boolean {
  return queueState === "paused" && queue.some((entry) => entry.message === message);
}

/** Ends the running turn with a failure, or as interrupted if it was being stopped. */
export function endFailedTurn(step: SessionStep, end: TurnEnd): void {
  endTurn(step, asStopped(step, end, true), true);
}

/**
 * The end of a turn that was being stopped: the agent's process may exit, or be ended, instead of answering. That is what
 * the Stop asked for, not a failure.
 */
export function asStopped({ view }: SessionStep, end: TurnEnd, isSynthetic: boolean): TurnEnd {
  if (!view.turn?.stopping || end.outcome !== "failed") return end;
  if (!isSynthetic && end.error?.category !== "cancelled") return end;
  const { error, ...rest } = end;
  return { ...rest, outcome: "interrupted", ...(error ? { reason: error.message } : {}) };
}
