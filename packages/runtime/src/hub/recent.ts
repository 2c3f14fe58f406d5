import type { StoredEvent } from "../log/port.ts";
import { eventFrame } from "./frames.ts";

/** By which number a stream's frames are named: the session's own, or the id over all sessions. */
export type Numbering = "seq" | "id";

/**
 * Rows of one session that were committed together, at least one, encoded once per numbering however many readers there
 * are. It holds bytes, which V8 does not copy, and not the rows: as the longest-lived texts of a burst they would be most of
 * the garbage collector's work.
 */
export class Batch {
  readonly session: string;
  readonly first: Position;
  readonly last: Position;
  readonly size: number;
  /** Whether the sequence is gap-free, so that a reader at the number before it may take the whole batch. */
  readonly isContiguous: boolean;
  readonly #encoded: ReadonlyMap<Numbering, Buffer>;

  constructor(rows: readonly StoredEvent[], numberings: ReadonlySet<Numbering>) {
    const first = rows[0]!;
    this.session = first.session;
    this.first = positionOf(first);
    this.last = positionOf(rows.at(-1)!);
    this.size = rows.reduce((sum, row) => sum + row.json.length, 0);
    this.isContiguous = rows.every((row, i) => row.seq === first.seq + i && row.id === first.id + i);
    this.#encoded = new Map([...numberings].map((numbering) => [numbering, encode(rows, numbering)]));
  }

  /** `undefined`: no reader needed this numbering when the rows were committed. */
  bytes(numbering: Numbering): Buffer | undefined {
    return this.#encoded.get(numbering);
  }
}

type Position = Pick<StoredEvent, Numbering>;

function positionOf({ seq, id }: StoredEvent): Position {
  return { seq, id };
}

function encode(rows: readonly StoredEvent[], numbering: Numbering): Buffer {
  return Buffer.from(rows.map((row) => eventFrame(row[numbering], row.json)).join(""));
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
    if (batch.size > this.#limit / 4 || !batch.isContiguous) return;
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

  clear(): void {
    this.#byId.clear();
    this.#bySeq.clear();
    this.#size = 0;
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
