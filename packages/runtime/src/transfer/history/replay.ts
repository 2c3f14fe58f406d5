import type { Envelope, IdKind, SessionView } from "@gantry/protocol";
import type { Agent, HistoryEntry, Output } from "../../agents/contract.ts";
import { closeOpenItems } from "../../session/engine/items.ts";
import { applyOutput } from "../../session/engine/outputs.ts";
import { type EngineContext, type EngineState, initialState } from "../../session/engine/state.ts";
import { SessionStep } from "../../session/engine/step.ts";
import { endTurn } from "../../session/engine/turns.ts";

export type RetellingDeps = { id: (kind: IdKind) => string; agent: Agent };

/**
 * Tells a conversation of long ago to the engine, so that its log keeps the laws as one that was heard live: every
 * start has its end. Times are the original ones as far as they do not run backwards.
 */
export class Retelling {
  #state: EngineState;
  #now: string;
  readonly #context: EngineContext;

  /** Goes on after `view`, the fold of what was told before. */
  constructor(view: SessionView, { id, agent }: RetellingDeps) {
    this.#state = initialState(view);
    this.#now = view.updatedAt;
    const { steer, provider, edits, name } = agent;
    this.#context = { now: () => this.#now, id, agent: { id: agent.id, name, steer, provider, edits }, queueLimit: 0 };
  }

  get view(): SessionView {
    return this.#state.view;
  }

  take({ at, output }: HistoryEntry): Envelope[] {
    if (at && at > this.#now) this.#now = at;
    return this.#step((step) => heard(step, output));
  }

  /** Work that goes on after what was closed by us when it was told last. */
  goOn(): Envelope[] {
    return this.#step((step) => applyOutput(step, { kind: "begin" }));
  }

  /** Nothing more was written down: what is open is closed, and marked as ours. */
  over(reason: string): Envelope[] {
    return this.#step((step) => {
      for (const { message } of step.view.sent.filter((entry) => entry.turn === undefined)) {
        step.emit("message.delivery", { message, state: "inline" });
      }
      if (step.view.turn) endTurn(step, { outcome: "interrupted", reason }, true);
      else closeOpenItems(step, reason);
      if (step.view.limit) step.emit("limit.cleared", { provider: step.view.limit.provider }, { synthetic: true });
    });
  }

  /** What happens to the session here and now. */
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

function heard(step: SessionStep, output: Output): void {
  if (output.kind !== "prompted") return applyOutput(step, output);
  const { text, attachments = [], steer = false } = output;
  const inline = steer && step.view.turn !== undefined;
  if (!inline && step.view.turn) endTurn(step, { outcome: "interrupted", reason: "another message came" }, true);
  const message = step.context.id("message");
  step.emit("message.user", { message, text, attachments, author: "user", delivery: inline ? "steer" : "auto" });
  if (inline) return step.emit("message.delivery", { message, state: "inline" });
  const turn = step.context.id("turn");
  step.emit("message.delivery", { message, state: "sent" }, { turn });
  step.emit("turn.started", { trigger: "user", messages: [message] }, { turn });
  step.emit("message.delivery", { message, state: "delivered" });
}
