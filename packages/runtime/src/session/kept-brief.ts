import type { Store } from "../log/port.ts";
import { brief } from "./brief.ts";
import { eventsOf } from "./history.ts";

/** What the next process of a session is to be told of the conversation before, kept until one has been told. */
export class KeptBrief {
  readonly #store: Store;
  readonly #session: string;

  constructor(store: Store, session: string) {
    this.#store = store;
    this.#session = session;
  }

  get(): string | undefined {
    return this.#store.meta.get(this.#key()) || undefined;
  }

  /** Makes it from the log. */
  make(): void {
    this.#store.meta.set(this.#key(), brief(eventsOf(this.#store, this.#session)));
  }

  forget(): void {
    if (this.get()) this.#store.meta.set(this.#key(), "");
  }

  #key(): string {
    return `brief:${this.#session}`;
  }
}
