import type { Records } from "../port.ts";
import type { Database } from "./database.ts";

export function addRecords(db: Database): void {
  db.exec(
    "CREATE TABLE records (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID",
  );
}

/** One kind of them. */
export class SqliteRecords<Value> implements Records<Value> {
  readonly #db: Database;
  readonly #kind: string;

  constructor(db: Database, kind: string) {
    this.#db = db;
    this.#kind = kind;
  }

  get(id: string): Value | undefined {
    const row = this.#db.get<{ body: string }>("SELECT body FROM records WHERE kind = ? AND id = ?", this.#kind, id);
    return row && JSON.parse(row.body);
  }

  put(id: string, value: Value): void {
    putRecord(this.#db, this.#kind, id, value);
  }

  delete(id: string): void {
    putRecord(this.#db, this.#kind, id, undefined);
  }

  list(): Value[] {
    const rows = this.#db.all<{ body: string }>("SELECT body FROM records WHERE kind = ? ORDER BY id", this.#kind);
    return rows.map((row) => JSON.parse(row.body));
  }
}

/** Without a value it is taken away. */
export function putRecord(db: Database, kind: string, id: string, value: unknown): void {
  if (value === undefined) db.run("DELETE FROM records WHERE kind = ? AND id = ?", kind, id);
  else db.run("INSERT OR REPLACE INTO records (kind, id, body) VALUES (?, ?, ?)", kind, id, JSON.stringify(value));
}
