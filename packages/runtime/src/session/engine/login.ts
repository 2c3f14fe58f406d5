import { type Failure, failure, type InputAnswer, type InputRequest } from "@gantry/protocol";
import { drainQueue } from "./queue.ts";
import type { SessionStep } from "./step.ts";
import { endTurn } from "./turns.ts";

/**
 * A turn is about to end. A process that never opened its conversation takes no more messages, and one that lacks a login
 * reads it only at its start: the next message gets a new process.
 */
export function releaseUnusableProcess(step: SessionStep, error: Failure | undefined): void {
  const { conversation } = step;
  if (!conversation || conversation.channel.perTurn) return;
  if (!conversation.ready) step.effect({ type: "stop", reason: "unopened" });
  else if (error?.category === "auth") restartForLogin(step);
}

/** Agents do not store a conversation without content, so the next process must start a new one. */
function restartForLogin(step: SessionStep): void {
  const { agent, turns, parent } = step.view;
  step.effect({ type: "stop", reason: "login" });
  if (turns > 1 || parent !== undefined || step.hasWorked) return;
  step.emit("session.updated", { patch: { handles: { [agent]: null } }, reason: "the conversation is empty" });
}

/**
 * The channel has no command for this login answer. A login that was done elsewhere is read by the next process; without
 * a login the turn fails.
 */
export function finishLoginElsewhere(step: SessionStep, answer: InputAnswer, request: InputRequest): void {
  step.effect({ type: "stop", reason: "unopened" });
  if (answer.decision === "allow") return;
  const chosen = request.options.find(({ id }) => id === answer.option)?.label;
  const message = `The agent is not logged in${chosen ? `; the answer was "${chosen}"` : ""}.`;
  endTurn(step, { outcome: "failed", reason: "not logged in", error: failure("auth", message) }, true);
  drainQueue(step);
}
