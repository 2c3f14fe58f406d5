import type { AgentEvent } from "../contract/events.ts";

/** Delivers events to all subscribers of a session. Notices from before the first subscription are held for it. */
export class Subscribers<Event extends { type: string } = AgentEvent> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #heldNotices: Event[] = [];

  add(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    for (const event of this.#heldNotices.splice(0)) this.publish(event);
    return () => this.#listeners.delete(listener);
  }

  publish(event: Event): void {
    if (event.type === "notice" && this.#listeners.size === 0) this.#heldNotices.push(event);
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch {
        // A failing subscriber must not affect the others or the session.
      }
    }
  }
}
