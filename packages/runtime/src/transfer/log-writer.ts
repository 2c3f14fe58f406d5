import { setImmediate as breathe } from "node:timers/promises";
import type { Envelope } from "@gantry/protocol";
import type { Blobs } from "../log/blobs.ts";
import type { Batch, RecordChange, Store, StoredEvent } from "../log/port.ts";

const BATCH_EVENTS = 500;
const BATCH_CHARACTERS = 2_000_000;

/**
 * Writes a long foreign log in batches and yields between them. The session is hidden until `show`; a crash before that
 * leaves nothing behind.
 */
export class LogWriter {
  readonly #store: Store;
  readonly #blobs: Blobs;
  readonly #session: string;
  #waiting: Envelope[] = [];
  #size = 0;

  constructor(store: Store, blobs: Blobs, session: string) {
    this.#store = store;
    this.#blobs = blobs;
    this.#session = session;
  }

  async add(events: readonly Envelope[]): Promise<void> {
    for (const event of events) {
      this.#waiting.push(event);
      this.#size += JSON.stringify(event.data).length;
    }
    if (this.#waiting.length < BATCH_EVENTS && this.#size < BATCH_CHARACTERS) return;
    this.#commit({ hidden: true });
    await breathe();
  }

  /** Makes pending events durable, still hidden. */
  async flushHidden(): Promise<void> {
    this.#commit({ hidden: true });
    await breathe();
  }

  /** Writes the last events and their records, and makes the session visible. */
  show(events: readonly Envelope[], more: { records?: readonly RecordChange[]; hash?: string } = {}): StoredEvent[] {
    this.#waiting.push(...events);
    const request = more.hash ? { request: { hash: more.hash } } : {};
    return this.#commit({ hidden: false, records: more.records, ...request });
  }

  /** Like `add`, but writes nothing before `flush`: for a visible session. */
  async hold(events: readonly Envelope[]): Promise<void> {
    this.#waiting.push(...events);
  }

  /** Makes pending events durable in one transaction. */
  flush(records: readonly RecordChange[]): StoredEvent[] {
    return this.#commit({ records });
  }

  #commit(more: Partial<Batch>): StoredEvent[] {
    const events = this.#waiting.map((event) => this.#blobs.spill(event));
    this.#waiting = [];
    this.#size = 0;
    return this.#store.commit({ session: this.#session, events, ...more });
  }
}

/** Removes the remains of an interrupted import. */
export function discard(store: Store, blobs: Blobs, session: string): void {
  if (store.sessions.listDeleted().includes(session)) blobs.remove(store.sessions.delete(session).blobs);
}
