import { GantryError, type HandoffRequest, type SessionView } from "@gantry/protocol";
import type { PreparedHandoff } from "../../../handoff/handoffs.ts";
import type { Hold } from "../../../limits/gate.ts";
import { closeOpenItems, requeueUndelivered } from "../items.ts";
import { releaseHold } from "../limits.ts";
import { drainQueue, interruptTurn } from "../queue.ts";
import type { SessionStep } from "../step.ts";
import { startTurn } from "../turns.ts";

/** The error that blocks a handoff right now, if any. */
export function handoffBlock(view: SessionView): GantryError | undefined {
  if (view.handingTo) {
    const message = `${view.id} is being handed to ${view.handingTo.agent} already.`;
    return new GantryError("handoff_pending", message, { remedy: "It starts as soon as the running turn has ended." });
  }
  const inputs = view.inputs.map(({ id, title }) => ({ id, title }));
  if (inputs.length > 0) {
    const message = `${view.id} waits for an answer: ${inputs[0]?.title}`;
    return new GantryError("input_pending", message, {
      remedy: "Answer it first, or set `interrupt`: true to cancel it.",
      details: { inputs },
    });
  }
  const remedy = "Wait for its end, or set `interrupt`: true.";
  if (view.turn) return new GantryError("turn_running", `A turn of ${view.id} is running.`, { remedy });
  return undefined;
}

/**
 * Requests a handoff. It is carried out as soon as nothing runs, also after a crash. Throws `turn_running`,
 * `input_pending` or `handoff_pending`, with nothing changed.
 */
export function requestHandoff(
  step: SessionStep,
  { request, interrupt }: { request: HandoffRequest; interrupt: boolean },
): void {
  const block = handoffBlock(step.view);
  if (block && (!interrupt || block.code === "handoff_pending")) throw block;
  step.emit("session.updated", { patch: { handingTo: request }, reason: `handoff to ${request.agent} requested` });
  if (step.view.turn) interruptTurn(step);
  else step.effect({ type: "handoff" });
}

/**
 * Hands the session over: it belongs to the next agent, and a turn starts with the brief. Queued messages stay queued.
 * The previous agent's process must have ended.
 */
export function startHandoff(step: SessionStep, handoff: PreparedHandoff): void {
  const { request, strategy, brief, receipts, text, agent, settings, handles, dropped } = handoff;
  const { view } = step;
  const hold = step.context.gate?.hold({ ...view, agent: agent.id, model: settings.model, limit: undefined });
  if (hold) return refuseHandoff(step, { request, reason: holdReason(hold) });
  closeOpenItems(step, "the session was handed off");
  requeueUndelivered(step);
  const message = step.context.id("message");
  const { id, prompt, by } = request;
  const more = { ...(prompt === undefined ? {} : { prompt }), ...(by ? { by } : {}) };
  step.emit("handoff.started", { id, from: view.agent, to: agent.id, strategy, brief, receipts, message, ...more });
  const { model = null, effort = null, controls = null, mode, modeApplied } = settings;
  const modes = { mode, modeApplied, modeConfirmed: false, modeNative: null, unenforced: agent.unenforced ?? null };
  const patch = { agent: agent.id, model, ...modes, effort, controls, controlsApplied: null, handles };
  step.emit("session.updated", { patch, reason: `handed off by ${strategy}` });
  // The previous agent's limit does not apply to this one.
  releaseHold(step);
  for (const notice of dropped) step.emit("notice", { kind: "handoff", severity: "warning", text: notice });
  step.emit("message.user", { message, text, attachments: [], author: "gantry", delivery: "auto" });
  startTurn(step, [message], "handoff");
}

function holdReason({ provider, source, resetsAt }: Hold): string {
  if (source === "budget") return "the budget is spent.";
  return `the limit of ${provider} is reached${resetsAt ? ` until ${resetsAt}` : ""}.`;
}

/** The handoff cannot be carried out: it gets both events, and the session keeps its agent. */
export function refuseHandoff(
  step: SessionStep,
  { request, reason }: { request: HandoffRequest; reason: string },
): void {
  const from = step.view.agent;
  const strategy = request.strategy === undefined || request.strategy === "auto" ? "brief" : request.strategy;
  const handoff = { id: request.id, from, to: request.agent, strategy } as const;
  step.emit("handoff.started", { ...handoff, ...(request.by ? { by: request.by } : {}) });
  step.emit("handoff.ended", { ...handoff, outcome: "failed", reason });
  const text = `The session could not be handed to ${request.agent}: ${reason} It stays with ${from}.`;
  step.emit("notice", { kind: "handoff", severity: "warning", text });
  drainQueue(step);
}
