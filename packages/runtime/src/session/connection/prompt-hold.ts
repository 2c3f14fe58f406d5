import type { Envelope, SessionView } from "@gantry/protocol";
import type { Store } from "../../log/port.ts";
import type { TurnSnapshots } from "../api.ts";
import { readTurnBackwards } from "../read-log.ts";

/** Shows that the agent had its prompt, or that nobody waits for its files any more. */
const AGENT_AT_WORK = new Set(["message.done", "reasoning.done", "tool.started", "input.requested", "plan.updated"]);

/** Holds a turn's prompt back until its files are kept, and tells the keeper of every begin and end. */
export class PromptHold {
  readonly #keeper: TurnSnapshots;
  #shut: Promise<void> | undefined;

  constructor(keeper: TurnSnapshots) {
    this.#keeper = keeper;
  }

  /** Resolves when the prompt may be written; `undefined`: at once. */
  get shut(): Promise<void> | undefined {
    return this.#shut;
  }

  /** Called with what has become durable, before anything of it is written to the agent. */
  follow(events: readonly Envelope[], view: SessionView): void {
    for (const { type, turn } of events) {
      if (turn === undefined) continue;
      if (type === "turn.ended") this.#keeper.end(view, turn);
      if (type === "turn.started") this.#close(view);
    }
  }

  /** After a restart: a turn whose files were not kept yet has not had its prompt either. */
  restore(store: Store, view: SessionView): void {
    if (view.turn && !hasPassed(store, view)) this.#close(view);
  }

  #close(view: SessionView): void {
    // It began and ended at once.
    if (!view.turn) return;
    const shut = this.#keeper.begin(view)?.finally(() => {
      if (this.#shut === shut) this.#shut = undefined;
    });
    this.#shut = shut;
  }
}

function hasPassed(store: Store, view: SessionView): boolean {
  for (const event of readTurnBackwards(store, view)) {
    if (event.type === "diff.updated" && event.data.before) return true;
    if (event.type === "notice" && event.data.kind.startsWith("checkpoint")) return true;
    if (AGENT_AT_WORK.has(event.type)) return true;
  }
  return false;
}
