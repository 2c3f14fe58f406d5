import type { StoredEvent } from "../log/port.ts";
import { eventFrame } from "./frames.ts";

/** By which number a stream's frames are named: the session's own, or the id over all sessions. */
export type Numbering = "seq" | "id";

/** Rows of one session that were committed together, at least one, encoded at most once per numbering however many readers there are. */
export class Batch {
  readonly session: string;
  readonly first: StoredEvent;
  readonly last: StoredEvent;
  readonly size: number;
  readonly #rows: readonly StoredEvent[];
  readonly #encoded: Partial<Record<Numbering, Buffer>> = {};

  constructor(rows: readonly StoredEvent[]) {
    this.#rows = rows;
    this.first = rows[0]!;
    this.last = rows.at(-1)!;
    this.session = this.first.session;
    this.size = rows.reduce((sum, row) => sum + row.json.length, 0);
  }

  /** Whether the sequence is gap-free, so that a reader at the number before it may take the whole batch. */
  get contiguous(): boolean {
    return this.#rows.every((row, i) => row.seq === this.first.seq + i && row.id === this.first.id + i);
  }

  encode(numbering: Numbering): Buffer {
    this.#encoded[numbering] ??= Buffer.from(this.#rows.map((row) => eventFrame(row[numbering], row.json)).join(""));
    return this.#encoded[numbering];
  }
}

/**
 * A cache of the last few batches, for readers at the end of the log. A reader whose position is not the start of a
 * cached batch reads from the log.
 */
export class RecentBatches {
  readonly #limit: number;
  readonly #byId = new Map<number, Batch>();
  readonly #bySeq = new Map<string, Batch>();
  #size = 0;

  /** Keeps batches up to `limit` characters of JSON in all. */
  constructor(limit = 2_000_000) {
    this.#limit = limit;
  }

  add(batch: Batch): void {
    if (batch.size > this.#limit / 4 || !batch.contiguous) return;
    this.#byId.set(batch.first.id, batch);
    this.#bySeq.set(key(batch.session, batch.first.seq), batch);
    this.#size += batch.size;
    for (const oldest of this.#byId.values()) {
      if (this.#size <= this.#limit) return;
      this.#drop(oldest);
    }
  }

  startingAtSeq(session: string, seq: number): Batch | undefined {
    return this.#bySeq.get(key(session, seq));
  }

  startingAtId(id: number): Batch | undefined {
    return this.#byId.get(id);
  }

  forget(session: string): void {
    for (const batch of this.#byId.values()) if (batch.session === session) this.#drop(batch);
  }

  #drop(batch: Batch): void {
    this.#byId.delete(batch.first.id);
    this.#bySeq.delete(key(batch.session, batch.first.seq));
    this.#size -= batch.size;
  }
}

function key(session: string, seq: number): string {
  return `${session} ${seq}`;
}
