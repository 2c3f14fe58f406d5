import type { InputAnswer, InputOption, PendingInput } from "@gantry/protocol";
import type { Output } from "../../../agents/contract.ts";
import { PROPOSAL } from "../items.ts";
import { sendMessage } from "../queue.ts";
import type { SessionStep } from "../step.ts";
import { requestInput } from "./inputs.ts";

/*
 * Plans of agents that end their turn with a plan and do not ask. The engine asks after the turn. The request stays open
 * without a turn and without a process, until it is answered or another turn starts.
 */

const IMPLEMENT = "Implement the plan.";

const OPTIONS: InputOption[] = [
  { id: "approve", label: "Approve the plan", effect: "allow_once", mode: "ask" },
  { id: "approve_auto_edit", label: "Approve and edit without asking", effect: "allow_once", mode: "auto-edit" },
  { id: "approve_full_auto", label: "Approve and work without asking", effect: "allow_once", mode: "full-auto" },
  { id: "keep_planning", label: "Keep planning", effect: "deny" },
];

/** Asks for an approval, unless a queued message has started the next turn already. */
export function proposePlan(step: SessionStep, { item, title, text }: Extract<Output, { kind: "plan" }>): void {
  if (step.view.turn) return;
  requestInput(step, PROPOSAL + item, { kind: "plan", title, detail: text, item, options: OPTIONS });
}

/**
 * Carries out the answer: an approval changes the mode and starts the implementation; a refusal with a message continues
 * the plan with it.
 */
export function answerPlan(
  step: SessionStep,
  { options }: PendingInput,
  { decision, option, message }: InputAnswer,
): void {
  const isApproved = decision === "allow" || decision === "allow_session";
  if (isApproved) {
    const mode = options.find(({ id }) => id === option)?.mode ?? "ask";
    const patch = { mode, modeApplied: mode, modeConfirmed: false, modeNative: null };
    step.emit("session.updated", { patch, reason: "plan approved" });
    step.sendCommand({ type: "set", mode });
  }
  const feedback = message?.trim();
  const text = isApproved ? [IMPLEMENT, feedback].filter(Boolean).join("\n\n") : feedback;
  if (!text) return;
  sendMessage(step, { id: step.context.id("message"), text, attachments: [], delivery: "auto", author: "user" });
}
