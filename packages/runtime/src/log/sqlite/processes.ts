import type { Processes, ProcessRow } from "../../process/ledger.ts";
import type { Database } from "./database.ts";

type Row = {
  [Key in keyof ProcessRow as Key extends "createdAt" | "startedAt" | "endedAt" ? never : Key]: ProcessRow[Key] | null;
} & { id: string; created_at: string; started_at: string | null; ended_at: string | null };

/** The rows behind the ledger. */
export class SqliteProcesses implements Processes {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(id: string): ProcessRow | undefined {
    const row = this.#db.get<Row>("SELECT * FROM processes WHERE id = ?", id);
    return row && toProcess(row);
  }

  put(row: ProcessRow): void {
    this.#db.run(
      `INSERT OR REPLACE INTO processes
         (id, session, agent, bin, version, cwd, dir, created_at, pid, pgid, started_at, ended_at, code, signal)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.session,
      row.agent,
      row.bin,
      row.version ?? null,
      row.cwd,
      row.dir,
      row.createdAt,
      row.pid ?? null,
      row.pgid ?? null,
      row.startedAt ?? null,
      row.endedAt ?? null,
      row.code ?? null,
      row.signal ?? null,
    );
  }

  open(): ProcessRow[] {
    return this.#list("WHERE ended_at IS NULL ORDER BY created_at, id");
  }

  ofSession(session: string): ProcessRow[] {
    return this.#list("WHERE session = ? ORDER BY created_at, id", session);
  }

  all(): ProcessRow[] {
    return this.#list("ORDER BY created_at, id");
  }

  forget(id: string): void {
    this.#db.run("DELETE FROM processes WHERE id = ?", id);
  }

  #list(rest: string, ...values: string[]): ProcessRow[] {
    return this.#db.all<Row>(`SELECT * FROM processes ${rest}`, ...values).map(toProcess);
  }
}

function toProcess(row: Row): ProcessRow {
  const { created_at, started_at, ended_at, ...rest } = row;
  const named = { ...rest, createdAt: created_at, startedAt: started_at, endedAt: ended_at };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null)) as ProcessRow;
}
