import type { Cursor } from "./cursor.ts";

/**
 * The output of a subscriber. `write` always accepts the chunk and returns `false` for back-pressure: no further write
 * until the owner calls `resume()`. Neither method may throw.
 */
export interface Sink {
  write(chunk: Uint8Array): boolean;
  end(): void;
}

/** Pages written in one go before others get their turn. */
const BURST = 8;

/**
 * One reader: replays from its cursor, gives the snapshots once, then follows. It never holds more than the page that
 * is being written; while its sink is backed up, durable events wait in the log and live frames are skipped.
 */
export class Subscriber {
  readonly cursor: Cursor;
  readonly #sink: Sink;
  readonly #snapshots: () => Uint8Array[];
  #following = false;
  #blocked = false;
  #closed = false;
  #resting = false;

  constructor(cursor: Cursor, sink: Sink, snapshots: () => Uint8Array[]) {
    this.cursor = cursor;
    this.#sink = sink;
    this.#snapshots = snapshots;
  }

  /** Writes the remaining events until the sink reports back-pressure. True when the reader has caught up. */
  pump(): boolean {
    for (let pages = 0; pages < BURST; pages++) {
      if (this.#blocked || this.#closed) return false;
      const chunk = this.cursor.next();
      if (!chunk) return this.#caughtUp();
      this.#write(chunk);
    }
    this.#continueLater();
    return false;
  }

  /** A frame that is not in the log. What was committed before it goes out before it. */
  live(frame: Uint8Array): void {
    if (this.#following && this.pump()) this.#write(frame);
  }

  heartbeat(line: Uint8Array): void {
    if (!this.#blocked && !this.#closed) this.#write(line);
  }

  resume(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.pump();
  }

  end(farewell?: Uint8Array): void {
    if (this.#closed) return;
    if (farewell) this.#sink.write(farewell);
    this.#closed = true;
    this.#sink.end();
  }

  /** The reader disconnected: nothing more is written. */
  close(): void {
    this.#closed = true;
  }

  #caughtUp(): boolean {
    if (!this.#following) {
      this.#following = true;
      for (const snapshot of this.#snapshots()) this.#write(snapshot);
    }
    return !this.#blocked;
  }

  #write(chunk: Uint8Array): void {
    if (!this.#sink.write(chunk)) this.#blocked = true;
  }

  #continueLater(): void {
    if (this.#resting || this.#blocked) return;
    this.#resting = true;
    setImmediate(() => {
      this.#resting = false;
      this.pump();
    });
  }
}
