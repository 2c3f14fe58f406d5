import type { Store } from "../../log/port.ts";
import { makeBrief } from "./brief/brief.ts";
import { readAllFacts } from "./brief/read-facts.ts";
import { rebuildPreface } from "./handoff-text.ts";

/** What the next process of a session is to be told of the conversation before, kept until one has been told. */
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

  /** Makes it from the log, of this session or of the one that it is forked from, up to an event. */
  make(limit: number, of: { session: string; until?: number } = { session: this.#session }): void {
    const facts = readAllFacts(this.#store, of.session, of.until);
    const { text } = makeBrief(facts, { limit, allAnswers: true });
    this.#store.meta.set(this.#key(), rebuildPreface(text));
  }

  forget(): void {
    if (this.get()) this.#store.meta.set(this.#key(), "");
  }

  #key(): string {
    return `brief:${this.#session}`;
  }
}
