import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { StorageFullError } from "../errors.ts";

type SqliteError = Error & { errcode?: number; errstr?: string };

/** SQLITE_FULL, and the codes of a full disk in WAL mode: IOERR_WRITE, IOERR_FSYNC, IOERR_SHMSIZE. */
const FULL_CODES = new Set([13, 778, 1034, 4874]);

/** A connection with cached statements and transactions. Errors of a full disk become StorageFullError. */
export class Database {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, db: DatabaseSync) {
    this.path = path;
    this.#db = db;
  }

  /** All rows. `Row` describes the columns of `sql`; it is not checked. */
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#attempt(() => this.#prepare(sql).all(...values) as Row[]);
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#attempt(() => this.#prepare(sql).get(...values) as Row | undefined);
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#attempt(() => this.#prepare(sql).run(...values));
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  exec(sql: string): void {
    this.#attempt(() => this.#db.exec(sql));
  }

  /** Runs `work` as one transaction: it commits everything, or nothing if `work` throws. */
  transaction<Result>(work: () => Result): Result {
    this.#attempt(() => this.#prepare("BEGIN IMMEDIATE").run());
    try {
      const result = work();
      this.#attempt(() => this.#prepare("COMMIT").run());
      return result;
    } catch (error) {
      // SQLite may have rolled back already because of a full disk.
      if (this.#db.isTransaction) this.#prepare("ROLLBACK").run();
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #attempt<Result>(action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      const { errcode, errstr, message } = error as SqliteError;
      if (errcode !== undefined && FULL_CODES.has(errcode)) throw new StorageFullError(this.path, errstr ?? message);
      throw error;
    }
  }
}
