import type { Journal, JournalRow, JournalState, Meta, SpoolRow, Spools } from "../port.ts";
import type { Database } from "./database.ts";

type FrameRow = Omit<JournalRow, "key"> & { key: string | null };

/** Frames for an agent's stdin. Commits add them and change their state. */
export class SqliteJournal implements Journal {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(process: string, states?: readonly JournalState[]): JournalRow[] {
    const rows = this.#db.all<FrameRow>(
      `SELECT id, process, session, ordinal, at_offset AS atOffset, frame, key, repeat, state FROM journal
       WHERE process = ?1 AND (?2 IS NULL OR state IN (SELECT value FROM json_each(?2))) ORDER BY ordinal`,
      process,
      states ? JSON.stringify(states) : null,
    );
    return rows.map((row) => ({ ...row, key: row.key ?? undefined }));
  }

  nextOrdinal(process: string): number {
    const row = this.#db.get<{ last: number | null }>(
      "SELECT max(ordinal) AS last FROM journal WHERE process = ?",
      process,
    );
    return (row?.last ?? 0) + 1;
  }

  forget(process: string): void {
    this.#db.run("DELETE FROM journal WHERE process = ?", process);
  }
}

/** How far each spool has been decoded. Commits advance it together with the decoded events. */
export class SqliteSpools implements Spools {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(process: string): SpoolRow | undefined {
    return this.#list("process = ?", process)[0];
  }

  ofSession(session: string): SpoolRow[] {
    return this.#list("session = ? ORDER BY process", session);
  }

  forget(process: string): void {
    this.#db.run("DELETE FROM spools WHERE process = ?", process);
  }

  #list(where: string, value: string): SpoolRow[] {
    const rows = this.#db.all<Omit<SpoolRow, "mark"> & { mark: string | null }>(
      `SELECT process, session, offset, err_offset AS errOffset, mark, mark_offset AS markOffset
       FROM spools WHERE ${where}`,
      value,
    );
    return rows.map((row) => ({ ...row, mark: row.mark ?? undefined }));
  }
}

/** Single values of the whole store. */
export class SqliteMeta implements Meta {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(key: string): string | undefined {
    return this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", key)?.value;
  }

  set(key: string, value: string): void {
    this.#db.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value);
  }
}
