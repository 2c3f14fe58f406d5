import type { Envelope, IdKind, SessionView } from "@gantry/protocol";
import type { Agent, HistoryEntry, Output } from "../../agents/contract.ts";
import { closeOpenItems } from "../../session/engine/items.ts";
import { applyOutput } from "../../session/engine/outputs.ts";
import { type EngineContext, type EngineState, initialState } from "../../session/engine/state.ts";
import { SessionStep } from "../../session/engine/step.ts";
import { endTurn } from "../../session/engine/turns.ts";

export type ReplayDeps = {
  id: (kind: IdKind) => string;
  agent: Agent;
  /** The time of the last event. Absent: the last event is activity, and the view has its time. */
  lastAt?: string;
};

/**
 * Replays a recorded conversation through the engine, so that its log obeys the same laws as a live one: every start has
 * one end. Keeps the original times unless they run backwards.
 */
export class ConversationReplay {
  #state: EngineState;
  #now: string;
  readonly #context: EngineContext;

  /** Continues after `view`, the fold of the events so far. */
  constructor(view: SessionView, { id, agent, lastAt = view.updatedAt }: ReplayDeps) {
    this.#state = initialState(view);
    this.#now = lastAt;
    const { steer, provider, edits, name } = agent;
    this.#context = { now: () => this.#now, id, agent: { id: agent.id, name, steer, provider, edits }, queueLimit: 0 };
  }

  get view(): SessionView {
    return this.#state.view;
  }

  take({ at, output }: HistoryEntry): Envelope[] {
    if (at && at > this.#now) this.#now = at;
    return this.#step((step) => applyEntry(step, output));
  }

  /** Starts a turn for work that continues after the end that the last import wrote. */
  reopenTurn(): Envelope[] {
    return this.#step((step) => applyOutput(step, { kind: "begin" }));
  }

  /** The recording has ended: closes the open turn and items, marked as synthetic. */
  closeOpen(reason: string): Envelope[] {
    return this.#step((step) => {
      for (const { message } of step.view.sent.filter((entry) => entry.turn === undefined)) {
        step.emit("message.delivery", { message, state: "inline" });
      }
      if (step.view.turn) endTurn(step, { outcome: "interrupted", reason }, true);
      else closeOpenItems(step, reason);
      if (step.view.limit) step.emit("limit.cleared", { provider: step.view.limit.provider }, { synthetic: true });
    });
  }

  /** Adds an event that happens at import time. */
  add(at: string, action: (step: SessionStep) => void): Envelope[] {
    if (at > this.#now) this.#now = at;
    return this.#step(action);
  }

  #step(action: (step: SessionStep) => void): Envelope[] {
    const step = new SessionStep(this.#state, this.#context);
    action(step);
    this.#state = { ...step.end(), open: new Map() };
    return step.events;
  }
}

function applyEntry(step: SessionStep, output: Output): void {
  if (output.kind !== "prompted") return applyOutput(step, output);
  const { text, attachments = [], steer = false } = output;
  const inline = steer && step.view.turn !== undefined;
  if (!inline && step.view.turn) endTurn(step, { outcome: "interrupted", reason: "the next message was sent" }, true);
  const message = step.context.id("message");
  step.emit("message.user", { message, text, attachments, author: "user", delivery: inline ? "steer" : "auto" });
  if (inline) return step.emit("message.delivery", { message, state: "inline" });
  const turn = step.context.id("turn");
  step.emit("message.delivery", { message, state: "sent" }, { turn });
  step.emit("turn.started", { trigger: "user", messages: [message] }, { turn });
  step.emit("message.delivery", { message, state: "delivered" });
}
