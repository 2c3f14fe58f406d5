import type { OpenHandoff } from "@gantry/protocol";
import type { Output } from "../../agents/contract.ts";
import { requeueUnbegun } from "./delivery.ts";
import type { SessionStep } from "./step.ts";

/** The first sign of work on a handoff completes it: the next agent has the brief and goes on. */
export function takenUp(step: SessionStep, output: Output): void {
  const { handoff } = step.view;
  if (handoff && step.view.turn && isWork(output)) {
    step.emit("handoff.ended", { ...told(handoff), outcome: "completed" });
  }
}

const WORK = new Set<string>(["message.done", "reasoning.done", "tool.started", "plan.updated", "subagent.started"]);

/** A login that is asked for, an error and facts about the agent are none. */
function isWork(output: Output): boolean {
  if (output.kind === "ask") return output.request.kind !== "login";
  return output.kind === "delta" || (output.kind === "event" && WORK.has(output.event.type));
}

/**
 * The turn of a handoff has ended. If the next agent never worked on it, the session goes back to the agent that it had,
 * with its conversation and settings, and what was meant for the other one is not told to it.
 */
export function settleHandoff(
  step: SessionStep,
  end: { outcome: string; reason?: string; error?: { message: string; remedy?: string } },
): void {
  const { handoff } = step.view;
  if (!handoff) return;
  if (end.outcome === "completed") {
    step.emit("handoff.ended", { ...told(handoff), outcome: "completed" });
    return;
  }
  if (step.view.queue.some(({ message }) => message === handoff.message)) {
    const reason = "the handoff came to nothing";
    step.emit("message.delivery", { message: handoff.message ?? "", state: "cancelled", reason });
  }
  requeueUnbegun(step);
  const reason = end.error?.message ?? end.reason ?? "it was interrupted";
  const patch = restoring(step, handoff);
  const outcome = end.outcome === "interrupted" ? "cancelled" : "failed";
  step.emit("handoff.ended", { ...told(handoff), outcome, reason });
  step.emit("session.updated", { patch, reason: "the handoff came to nothing" });
  const text = `The handoff to ${handoff.to} came to nothing: ${reason} The session goes on with ${handoff.from}.`;
  step.emit("notice", { kind: "handoff", severity: "warning", text });
  // The process is the other agent's.
  step.effect({ type: "stop", reason: "handoff" });
}

function told({ id, from, to, strategy }: OpenHandoff) {
  return { id, from, to, strategy };
}

/** A patch that brings everything of the agent before back. */
function restoring({ view }: SessionStep, { from, before }: OpenHandoff) {
  const { model, mode, modeApplied, effort, handles = {} } = before ?? view;
  const gone = Object.keys(view.handles).filter((key) => handles[key] === undefined);
  return {
    agent: from,
    model: model ?? null,
    mode,
    ...(modeApplied ? { modeApplied } : {}),
    effort: effort ?? null,
    handles: { ...Object.fromEntries(gone.map((key) => [key, null])), ...handles },
  };
}
