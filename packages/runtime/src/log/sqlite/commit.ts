import type { Envelope, SessionView } from "@gantry/protocol";
import type { Batch, JournalRow, SpoolUpdate, StoredEvent } from "../port.ts";
import type { Database } from "./database.ts";
import { foldEvent, foldView, loadView, storeView } from "./folds.ts";
import { putRecord } from "./records.ts";

const MANY = 16;
/**
 * `OR FAIL`: the transaction is rolled back after any error, so SQLite need not copy pages to undo one statement, which it
 * does in a temporary file.
 */
const insertRows = (rows: number) =>
  `INSERT OR FAIL INTO events (session, seq, type, item, body) VALUES ${Array(rows).fill("(?, ?, ?, ?, ?)").join(", ")}`;
const INSERT_ONE = insertRows(1);
const INSERT_MANY = insertRows(MANY);

/** Appends to the logs. Caches the last sequence number of each log, so that detecting a gap needs no query. */
export class Committer {
  readonly #db: Database;
  readonly #lastSeq = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
  }

  commit(batch: Batch): StoredEvent[] {
    const stored = this.#db.transaction(() => this.#write(batch));
    const last = stored.at(-1);
    if (last) this.#lastSeq.set(batch.session, last.seq);
    return stored;
  }

  lastSeq(session: string): number {
    const known = this.#lastSeq.get(session);
    if (known !== undefined) return known;
    const row = this.#db.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM events WHERE session = ?", session);
    const seq = row?.seq ?? 0;
    if (seq > 0) this.#lastSeq.set(session, seq);
    return seq;
  }

  forget(session: string): void {
    this.#lastSeq.delete(session);
  }

  #write(batch: Batch): StoredEvent[] {
    const { session, events, spool, journal, messages, request, records } = batch;
    const stored = this.#append(session, events);
    if (events.length > 0) this.#fold(session, events, batch.view);
    if (spool) this.#moveSpool(session, spool);
    for (const row of journal?.add ?? []) this.#addFrame(row);
    for (const { id, state } of journal?.set ?? []) {
      const { changes } = this.#db.run("UPDATE journal SET state = ? WHERE id = ?", state, id);
      if (changes === 0) throw new Error(`the journal has no frame ${id}`);
    }
    for (const { id, hash } of messages ?? []) {
      this.#db.run("INSERT INTO messages (session, id, hash) VALUES (?, ?, ?)", session, id, hash);
    }
    if (request) {
      const env = JSON.stringify(request.env ?? {});
      this.#db.run("UPDATE sessions SET request = ?, env = ? WHERE id = ?", request.hash ?? null, env, session);
    }
    if (batch.hidden !== undefined) {
      this.#db.run("UPDATE sessions SET deleted = ? WHERE id = ?", batch.hidden ? 1 : 0, session);
    }
    for (const { kind, id, value } of records ?? []) putRecord(this.#db, kind, id, value);
    return stored;
  }

  #append(session: string, events: readonly Envelope[]): StoredEvent[] {
    const last = events.length > 0 ? this.lastSeq(session) : 0;
    const bodies = events.map((event, index) => {
      const seq = last + index + 1;
      if (event.session === session && event.seq === seq) return JSON.stringify(event);
      throw new Error(`event ${event.seq} of ${event.session} cannot follow ${seq - 1} of ${session}`);
    });
    const stored: StoredEvent[] = [];
    for (let from = 0; from < events.length; ) {
      const count = events.length - from >= MANY ? MANY : 1;
      let id = this.#insert(events, bodies, from, count) - count + 1;
      for (const end = from + count; from < end; from++, id++) {
        const { seq, type } = events[from]!;
        stored.push({ id, session, seq, type, json: bodies[from]! });
        foldEvent(this.#db, events[from]!, bodies[from]!);
      }
    }
    return stored;
  }

  /** Inserts one row, or MANY at once in two thirds of the time. Ids are consecutive; returns the last one. */
  #insert(events: readonly Envelope[], bodies: readonly string[], from: number, count: number): number {
    const values: (string | number | null)[] = [];
    for (let index = from; index < from + count; index++) {
      const event = events[index]!;
      values.push(event.session, event.seq, event.type, itemOf(event), bodies[index]!);
    }
    return this.#db.run(count === 1 ? INSERT_ONE : INSERT_MANY, ...values).id;
  }

  /** A view in the batch saves the fold, unless the usage of a turn must be recorded during it. */
  #fold(session: string, events: readonly Envelope[], given: SessionView | undefined): void {
    const ends = events.some((event) => event.type === "turn.ended");
    const view = given && !ends ? given : foldView(this.#db, loadView(this.#db, session), events);
    if (view) storeView(this.#db, given ?? view);
  }

  #moveSpool(session: string, { process, offset, errOffset, mark, markOffset }: SpoolUpdate): void {
    this.#db.run("INSERT OR IGNORE INTO spools (process, session) VALUES (?, ?)", process, session);
    this.#db.run(
      `UPDATE spools SET offset = coalesce(?, offset), err_offset = coalesce(?, err_offset),
         mark = coalesce(?, mark), mark_offset = coalesce(?, mark_offset) WHERE process = ?`,
      offset ?? null,
      errOffset ?? null,
      mark ?? null,
      markOffset ?? (mark === undefined ? null : (offset ?? null)),
      process,
    );
  }

  #addFrame(row: JournalRow): void {
    this.#db.run(
      `INSERT INTO journal (id, process, session, ordinal, at_offset, frame, key, repeat, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.process,
      row.session,
      row.ordinal,
      row.atOffset,
      row.frame,
      row.key ?? null,
      row.repeat,
      row.state,
    );
  }
}

function itemOf(event: Envelope): string | null {
  const item = (event.data as { item?: unknown }).item;
  return typeof item === "string" ? item : null;
}
