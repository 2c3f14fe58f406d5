import type { TurnOutcome } from "@gantry/protocol";
import type { SessionStep } from "./step.ts";

/** Messages that were sent and that the agent never started on go back to the head of the queue, in their order. */
export function requeueUndelivered(step: SessionStep): void {
  for (const { message } of [...step.view.sent].reverse()) {
    step.emit("message.delivery", { message, state: "queued", position: 0, reason: "the agent had not started on it" });
  }
}

/** The agent has the message: `inline` in the running turn, else in another turn. */
export function confirmDelivery(step: SessionStep, message: string, inline: boolean): void {
  if (!step.view.sent.some((entry) => entry.message === message)) return;
  step.emit("message.delivery", { message, state: inline ? "inline" : "delivered" });
}

/** Ends the messages of a turn that the agent never confirmed: a completed turn shows that it had them. */
export function settleDeliveries(
  step: SessionStep,
  turn: string,
  end: { outcome: TurnOutcome; reason?: string; error?: { message: string } },
): void {
  for (const { message } of step.view.sent.filter((entry) => entry.turn === turn)) {
    if (end.outcome === "completed") {
      step.emit("message.delivery", { message, state: "delivered" });
      continue;
    }
    const state = end.outcome === "interrupted" ? "cancelled" : "failed";
    step.emit("message.delivery", { message, state, reason: end.error?.message ?? end.reason });
  }
}
