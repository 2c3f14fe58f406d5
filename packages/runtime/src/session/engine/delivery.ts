import type { SessionStep } from "./step.ts";

/** Messages that were steered into a turn and that the process never took up go back to the head of the queue. */
export function requeueUnbegun(step: SessionStep): void {
  for (const { message } of [...step.view.sent].reverse()) {
    step.emit("message.delivery", { message, state: "queued", position: 0, reason: "the agent had not taken it up" });
  }
}
