import type { Envelope } from "@gantry/protocol";
import { StorageFullError } from "../../errors.ts";
import { searchableText, searchableTypes } from "../../searchable.ts";
import type { Database } from "../database.ts";

const WATERMARK = "indexed";
/** Events per step, so that the event loop is never blocked for long. */
const STEP = 250;
const PAUSE_MS = 200;
/** Between two steps while no events are being stored. */
const SHORT_PAUSE_MS = 25;
/** While events are being stored, indexing waits this many pauses: it must not slow a burst down. */
const BUSY_PAUSES = 5;
const MANY = 16;
const insertRows = (rows: number) =>
  `INSERT OR REPLACE INTO search (rowid, text) VALUES ${Array(rows).fill("(?, ?)").join(", ")}`;
const INSERT_ONE = insertRows(1);
const INSERT_MANY = insertRows(MANY);
const PENDING = `SELECT id, body FROM events WHERE id > ? AND id <= ? AND type IN (${searchableTypes.map((type) => `'${type}'`).join(", ")}) ORDER BY id`;

/**
 * The full-text index. It lags behind the log, because indexing costs as much as storing the events. A search catches up
 * first. The watermark is stored with the index.
 */
export class SearchIndex {
  readonly #db: Database;
  #timer: NodeJS.Timeout | undefined;
  /** Events were stored since the timer was set. */
  #busy = false;
  #pauses = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** There are new events. */
  scheduleUpdate(): void {
    this.#busy = true;
    this.#timer ??= this.#wait();
  }

  /** Before a search. Where there is no room for more, what is indexed already must do. */
  catchUp(): void {
    try {
      while (this.#advance()) {
        // On to the next.
      }
    } catch (error) {
      if (!(error instanceof StorageFullError)) throw error;
    }
  }

  /** Moves the watermark back to the session's first event, so that it is indexed again. */
  forget(session: string): void {
    this.#db.run("DELETE FROM search WHERE rowid IN (SELECT id FROM events WHERE session = ?)", session);
    const first = this.#db.get<{ id: number | null }>("SELECT min(id) AS id FROM events WHERE session = ?", session);
    const before = (first?.id ?? 1) - 1;
    if (before < this.#readWatermark()) this.#store(before);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(pauseMs = PAUSE_MS): NodeJS.Timeout {
    this.#busy = false;
    return setTimeout(() => this.#step(), pauseMs).unref();
  }

  #step(): void {
    this.#timer = undefined;
    if (this.#busy && ++this.#pauses < BUSY_PAUSES) {
      this.#timer = this.#wait();
      return;
    }
    this.#pauses = 0;
    try {
      if (this.#advance()) this.#timer = this.#wait(this.#busy ? PAUSE_MS : SHORT_PAUSE_MS);
    } catch {
      // A full disk, or a database that is being closed: the next event or search tries again.
    }
  }

  /** Indexes the next few events; `false` when there are none. */
  #advance(): boolean {
    const from = this.#readWatermark();
    const last = this.#db.get<{ id: number | null }>("SELECT max(id) AS id FROM events")?.id ?? 0;
    if (last <= from) return false;
    const to = Math.min(last, from + STEP);
    const rows = this.#db.all<{ id: number; body: string }>(PENDING, from, to);
    this.#db.transaction(() => {
      this.#insert(rows);
      this.#store(to);
    });
    return to < last;
  }

  #insert(rows: readonly { id: number; body: string }[]): void {
    const values = rows.flatMap(({ id, body }) => {
      const text = searchableText(JSON.parse(body) as Envelope);
      return text ? [id, text] : [];
    });
    for (let from = 0; from < values.length; ) {
      const many = values.length - from >= 2 * MANY;
      const part = values.slice(from, from + 2 * (many ? MANY : 1));
      this.#db.run(many ? INSERT_MANY : INSERT_ONE, ...part);
      from += part.length;
    }
  }

  #readWatermark(): number {
    const row = this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", WATERMARK);
    return Number(row?.value ?? 0);
  }

  #store(id: number): void {
    const sql = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    this.#db.run(sql, WATERMARK, String(id));
  }
}
