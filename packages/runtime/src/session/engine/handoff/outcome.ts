import type { OpenHandoff } from "@gantry/protocol";
import type { Output } from "../../../agents/contract.ts";
import { requeueUndelivered } from "../items.ts";
import type { SessionStep } from "../step.ts";

/** The first sign of work completes a handoff: the next agent has the brief. */
export function completeHandoffOnWork(step: SessionStep, output: Output): void {
  const { handoff } = step.view;
  if (handoff && step.view.turn && isWork(output)) {
    step.emit("handoff.ended", { ...handoffIds(handoff), outcome: "completed" });
  }
}

const WORK = new Set<string>(["message.done", "reasoning.done", "tool.started", "plan.updated", "subagent.started"]);

/** A login request, an error or a fact about the agent is not work. */
function isWork(output: Output): boolean {
  if (output.kind === "ask") return output.request.kind !== "login";
  return output.kind === "delta" || (output.kind === "event" && WORK.has(output.event.type));
}

/**
 * The turn of a handoff ended. If the next agent never worked on it, the session returns to the previous agent, with its
 * conversation and settings, and the brief is dropped.
 */
export function settleHandoff(
  step: SessionStep,
  end: { outcome: string; reason?: string; error?: { message: string; remedy?: string } },
): void {
  const { handoff } = step.view;
  if (!handoff) return;
  if (end.outcome === "completed") {
    step.emit("handoff.ended", { ...handoffIds(handoff), outcome: "completed" });
    return;
  }
  if (step.view.queue.some(({ message }) => message === handoff.message)) {
    const reason = "the handoff failed";
    step.emit("message.delivery", { message: handoff.message ?? "", state: "cancelled", reason });
  }
  requeueUndelivered(step);
  const reason = end.error?.message ?? end.reason ?? "it was interrupted";
  const patch = previousSettings(step, handoff);
  const outcome = end.outcome === "interrupted" ? "cancelled" : "failed";
  step.emit("handoff.ended", { ...handoffIds(handoff), outcome, reason });
  step.emit("session.updated", { patch, reason: "the handoff failed" });
  const text = `The handoff to ${handoff.to} failed: ${reason} The session continues with ${handoff.from}.`;
  step.emit("notice", { kind: "handoff", severity: "warning", text });
  // The process belongs to the other agent.
  step.effect({ type: "stop", reason: "handoff" });
}

function handoffIds({ id, from, to, strategy }: OpenHandoff) {
  return { id, from, to, strategy };
}

/** A patch that restores the agent, settings and handles from before the handoff. */
function previousSettings({ view }: SessionStep, { from, before }: OpenHandoff) {
  const { model, mode, modeApplied, modeConfirmed, modeNative, unenforced, effort, handles = {} } = before ?? view;
  const { controls } = before ?? view;
  const gone = Object.keys(view.handles).filter((key) => handles[key] === undefined);
  return {
    agent: from,
    model: model ?? null,
    mode,
    ...(modeApplied ? { modeApplied } : {}),
    modeConfirmed: modeConfirmed ?? false,
    modeNative: modeNative ?? null,
    unenforced: unenforced ?? null,
    effort: effort ?? null,
    controls: controls ?? null,
    handles: { ...Object.fromEntries(gone.map((key) => [key, null])), ...handles },
  };
}
