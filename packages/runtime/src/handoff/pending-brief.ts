import type { Store } from "../log/port.ts";
import { makeBrief } from "./brief/brief.ts";
import { readAllFacts } from "./brief/read-facts.ts";
import { rebuildPreface } from "./handoff-text.ts";

/** A brief of the earlier conversation for a session's next process, stored until one got it. */
export class PendingBrief {
  readonly #store: Store;
  readonly #session: string;

  constructor(store: Store, session: string) {
    this.#store = store;
    this.#session = session;
  }

  get(): string | undefined {
    return this.#store.meta.get(this.#key()) || undefined;
  }

  /** Builds it from the log of this session, or of the one it was forked from, up to an event. */
  build(limit: number, of: { session: string; until?: number } = { session: this.#session }): void {
    const facts = readAllFacts(this.#store, of.session, of.until);
    const { text } = makeBrief(facts, { limit, allAnswers: true });
    this.#store.meta.set(this.#key(), rebuildPreface(text));
  }

  clear(): void {
    if (this.get()) this.#store.meta.set(this.#key(), "");
  }

  #key(): string {
    return `brief:${this.#session}`;
  }
}
