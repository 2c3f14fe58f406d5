import type { Envelope, SessionView } from "@gantry/protocol";
import type { Store } from "../../log/port.ts";
import type { TurnSnapshots } from "../api.ts";
import { readTurnBackwards } from "../read-log.ts";

/** Events that show that the agent got its prompt. */
const AGENT_WORK = new Set(["message.done", "reasoning.done", "tool.started", "input.requested", "plan.updated"]);

/** Holds a turn's prompt back until the snapshot of its files is taken, and reports starts and ends of turns. */
export class PromptHold {
  readonly #snapshots: TurnSnapshots;
  #released: Promise<void> | undefined;

  constructor(snapshots: TurnSnapshots) {
    this.#snapshots = snapshots;
  }

  /** Resolves when the prompt may be written; `undefined`: at once. */
  get released(): Promise<void> | undefined {
    return this.#released;
  }

  /** Called with committed events, before their frames are written to the agent. */
  follow(events: readonly Envelope[], view: SessionView): void {
    for (const { type, turn } of events) {
      if (turn === undefined) continue;
      if (type === "turn.ended") this.#snapshots.end(view, turn);
      if (type === "turn.started") this.#hold(view);
    }
  }

  /** After a restart: a turn without a snapshot has not got its prompt either. */
  restore(store: Store, view: SessionView): void {
    if (view.turn && !hasSnapshot(store, view)) this.#hold(view);
  }

  #hold(view: SessionView): void {
    // The turn started and ended in one step.
    if (!view.turn) return;
    const released = this.#snapshots.begin(view)?.finally(() => {
      if (this.#released === released) this.#released = undefined;
    });
    this.#released = released;
  }
}

function hasSnapshot(store: Store, view: SessionView): boolean {
  for (const event of readTurnBackwards(store, view)) {
    if (event.type === "diff.updated" && event.data.before) return true;
    if (event.type === "notice" && event.data.kind.startsWith("checkpoint")) return true;
    if (AGENT_WORK.has(event.type)) return true;
  }
  return false;
}
