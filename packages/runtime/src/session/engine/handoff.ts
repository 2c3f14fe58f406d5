import {
  GantryError,
  type HandoffRequest,
  type HandoffStrategy,
  type Mode,
  type Receipt,
  type SessionView,
} from "@gantry/protocol";
import type { Hold } from "../../limits/gate.ts";
import { requeueUnbegun } from "./delivery.ts";
import { releaseHold } from "./limits.ts";
import { drain, interruptTurn, type Link, startTurn } from "./queue.ts";
import type { SessionStep } from "./step.ts";
import { closeOpen } from "./turns.ts";

/** A handoff of which everything is decided. */
export type PreparedHandoff = {
  request: HandoffRequest;
  strategy: HandoffStrategy;
  brief: string;
  receipts: Receipt[];
  /** What the next agent is told: the brief and all that goes with it. */
  text: string;
  agent: { id: string };
  settings: { model?: string; mode: Mode; modeApplied: Mode; effort?: string };
  /** Changes of the native conversations that the strategy needs. */
  handles: Record<string, string | null>;
  /** What the next agent goes without, for people to read. */
  dropped: readonly string[];
};

/** What stands in the way of a handoff right now. */
export function handoffBlock(view: SessionView): GantryError | undefined {
  const remedy = "Wait for its end, or say `interrupt`: true.";
  if (view.handingTo) {
    const message = `${view.id} is being handed to ${view.handingTo.agent} already.`;
    return new GantryError("handoff_pending", message, { remedy: "It follows as soon as the running turn has ended." });
  }
  const asked = view.inputs.map(({ id, title }) => ({ id, title }));
  if (asked.length > 0) {
    const message = `${view.id} waits for an answer: ${asked[0]?.title}`;
    return new GantryError("input_pending", message, {
      remedy: "Answer it first, or say `interrupt`: true; then it is taken back.",
      details: { inputs: asked },
    });
  }
  if (view.turn) return new GantryError("turn_running", `A turn of ${view.id} is running.`, { remedy });
  return undefined;
}

/**
 * Asks for a handoff: it follows as soon as nothing runs any more, also after a crash. Throws `turn_running`,
 * `input_pending` or `handoff_pending`, with nothing changed.
 */
export function askForHandoff(step: SessionStep, request: HandoffRequest, interrupt: boolean, link: Link): void {
  const block = handoffBlock(step.view);
  if (block && (!interrupt || block.code === "handoff_pending")) throw block;
  step.emit("session.updated", { patch: { handingTo: request }, reason: `handoff to ${request.agent} asked for` });
  if (step.view.turn) interruptTurn(step, link);
  else step.effect({ type: "handoff" });
}

/**
 * Hands the session over: from here on it is the other agent's, and a turn begins with the brief. Queued messages stay
 * where they are and follow it. The process of the agent before must be gone.
 */
export function startHandoff(step: SessionStep, handoff: PreparedHandoff): void {
  const { request, strategy, brief, receipts, text, agent, settings, handles, dropped } = handoff;
  const { view } = step;
  const held = step.context.gate?.hold({ ...view, agent: agent.id, model: settings.model, limit: undefined });
  if (held) return refuseHandoff(step, request, heldUp(held));
  closeOpen(step, "the session was handed off");
  requeueUnbegun(step);
  const message = step.context.id("message");
  const { id, prompt } = request;
  const more = prompt === undefined ? {} : { prompt };
  step.emit("handoff.started", { id, from: view.agent, to: agent.id, strategy, brief, receipts, message, ...more });
  const { model = null, effort = null, mode, modeApplied } = settings;
  const patch = { agent: agent.id, model, mode, modeApplied, effort, handles };
  step.emit("session.updated", { patch, reason: `handed off by ${strategy}` });
  // What held the agent before up does not hold this one.
  releaseHold(step);
  for (const notice of dropped) step.emit("notice", { kind: "handoff", severity: "warning", text: notice });
  step.emit("message.user", { message, text, attachments: [], author: "gantry", delivery: "auto" });
  startTurn(step, [message], "handoff");
}

function heldUp({ provider, source, resetsAt }: Hold): string {
  if (source === "budget") return "the budget is spent.";
  return `the limit of ${provider} is reached${resetsAt ? ` until ${resetsAt}` : ""}.`;
}

/** It cannot be carried out after all: said by both events, and the session stays as it is. */
export function refuseHandoff(step: SessionStep, request: HandoffRequest, reason: string): void {
  const from = step.view.agent;
  const strategy = request.strategy === undefined || request.strategy === "auto" ? "brief" : request.strategy;
  const told = { id: request.id, from, to: request.agent, strategy } as const;
  step.emit("handoff.started", told);
  step.emit("handoff.ended", { ...told, outcome: "failed", reason });
  const text = `The session could not be handed to ${request.agent}: ${reason} It stays with ${from}.`;
  step.emit("notice", { kind: "handoff", severity: "warning", text });
  drain(step);
}
