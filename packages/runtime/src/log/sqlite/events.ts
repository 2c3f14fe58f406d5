import type { Envelope, InputRequest } from "@gantry/protocol";
import type { InputRow, StoredEvent } from "../port.ts";
import type { Database } from "./database.ts";

const COLUMNS = "id, session, seq, type, body AS json";

/**
 * Index and query must use the identical expression; otherwise SQLite ignores the index. Not `IN` with three values: SQLite
 * builds a temporary table for it in every statement that inserts an event.
 */
const OF_TURNS = "(type = 'turn.started' OR type = 'turn.ended' OR type = 'diff.updated')";

/** Rare even in a long log. */
export function addTurnIndex(db: Database): void {
  db.exec(
    "CREATE INDEX events_of_turns ON events (session, seq) WHERE type IN ('turn.started', 'turn.ended', 'diff.updated')",
  );
}

/** Gives the index an expression that is cheaper for inserts. */
export function replaceTurnIndex(db: Database): void {
  db.exec("DROP INDEX events_of_turns");
  db.exec(`CREATE INDEX events_of_turns ON events (session, seq) WHERE ${OF_TURNS}`);
}

/** Reading the logs. */
export class Events {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  read(session: string, after: number, limit: number): StoredEvent[] {
    const sql = `SELECT ${COLUMNS} FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?`;
    return this.#db.all<StoredEvent>(sql, session, after, limit);
  }

  tail(session: string, n: number): StoredEvent[] {
    const sql = `SELECT ${COLUMNS} FROM events WHERE session = ? ORDER BY seq DESC LIMIT ?`;
    return this.#db.all<StoredEvent>(sql, session, n).reverse();
  }

  readAll(afterId: number, limit: number, sessions?: readonly string[]): StoredEvent[] {
    if (!sessions) {
      return this.#db.all<StoredEvent>(
        `SELECT ${COLUMNS} FROM events
         WHERE id > ? AND session NOT IN (SELECT id FROM sessions WHERE deleted = 1) ORDER BY id LIMIT ?`,
        afterId,
        limit,
      );
    }
    const found = [...new Set(sessions)].flatMap((session) => this.read(session, this.#seqAt(session, afterId), limit));
    return found.sort((a, b) => a.id - b.id).slice(0, limit);
  }

  /** The last `seq` of a session whose id is at most `id`. Both increase together, so a binary search finds it. */
  #seqAt(session: string, id: number): number {
    const last = this.#db.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM events WHERE session = ?", session);
    let low = 0;
    let high = last?.seq ?? 0;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const sql = "SELECT id FROM events WHERE session = ? AND seq = ?";
      const at = this.#db.get<{ id: number }>(sql, session, middle)?.id ?? 0;
      if (at <= id) low = middle;
      if (at > id) high = middle - 1;
    }
    return low;
  }

  ofTurns(session: string): StoredEvent[] {
    const sql = `SELECT ${COLUMNS} FROM events WHERE session = ? AND ${OF_TURNS} ORDER BY seq`;
    return this.#db.all<StoredEvent>(sql, session);
  }

  lastId(): number {
    return this.#db.get<{ id: number | null }>("SELECT max(id) AS id FROM events")?.id ?? 0;
  }

  ofItem(session: string, item: string): StoredEvent[] {
    const sql = `SELECT ${COLUMNS} FROM events WHERE session = ? AND item = ? ORDER BY id`;
    return this.#db.all<StoredEvent>(sql, session, item);
  }

  pendingInputs(): InputRequest[] {
    const rows = this.#db.all<{ json: string }>(
      `SELECT e.body AS json FROM inputs i
       JOIN events e ON e.session = i.session AND e.seq = i.seq
       JOIN sessions s ON s.id = i.session AND s.deleted = 0
       WHERE i.state = 'pending' ORDER BY e.id`,
    );
    return rows.map((row) => requestOf(row.json));
  }

  findInput(id: string): InputRow | undefined {
    const row = this.#db.get<{ session: string; state: InputRow["state"]; resolution: string | null; json: string }>(
      `SELECT i.session, i.state, i.resolution, e.body AS json FROM inputs i
       JOIN events e ON e.session = i.session AND e.seq = i.seq
       JOIN sessions s ON s.id = i.session AND s.deleted = 0
       WHERE i.id = ?`,
      id,
    );
    if (!row) return undefined;
    const { session, state, resolution, json } = row;
    return {
      id,
      session,
      state,
      request: requestOf(json),
      resolution: resolution ? JSON.parse(resolution) : undefined,
    };
  }
}

function requestOf(json: string): InputRequest {
  const { at, data } = JSON.parse(json) as Envelope<"input.requested">;
  return { ...data, requestedAt: at };
}
