import { GantryError, type Grant, type SessionState, type SessionView } from "@gantry/protocol";
import { SESSION_SERVERS, type SessionQuery, type SessionRow, type Sessions } from "../port.ts";
import type { Database } from "./database.ts";
import { closeUsage } from "./usage.ts";

type Row = {
  id: string;
  agent: string;
  title: string;
  state: string;
  cwd: string;
  created_at: string;
  updated_at: string;
  last_seq: number;
  pending: number;
  archived: number;
  view: string;
  request: string | null;
};

const COLUMNS = "id, agent, title, state, cwd, created_at, updated_at, last_seq, pending, archived, view, request";
const DEFAULT_LIMIT = 100;
const NO_ENV: Readonly<Record<string, string>> = Object.freeze({});

/**
 * What is deleted with a session. Its processes stay in the ledger, which forgets them once nothing of them runs, and its
 * usage stays booked.
 */
const OWNED = ["events", "inputs", "messages", "blob_refs", "spools", "journal"];

/** The conditions of a list, with the values of `matchValues`. A session that may be open is checked again by its view. */
const MATCHES = `deleted = 0
  AND (?1 IS NULL OR state = ?1)
  AND (?2 IS NULL OR archived = ?2)
  AND NOT EXISTS (SELECT 1 FROM json_each(?3)
    WHERE title || char(10) || cwd || char(10) || agent || char(10) || sessions.id NOT LIKE value ESCAPE '!')
  AND (?4 IS NULL OR (view ->> '$.identity' IS NOT NULL) = ?4)
  AND (?5 IS NULL OR view ->> '$.identity' = ?5)
  AND (?6 = 0 OR state IN ('running', 'waiting', 'limited') OR pending > 0 OR view ->> '$.lastTurn.outcome' = 'failed'
    OR json_array_length(view, '$.queue') > 0 OR view -> '$.handoff' IS NOT NULL)`;

function matchValues({ state, q, archived = false, identities, identity, open }: SessionQuery) {
  const terms = (q ?? "").split(/\s+/).filter((term) => term !== "");
  return [
    state ?? null,
    archived === "any" ? null : Number(archived),
    JSON.stringify(terms.map((term) => `%${term.replace(/[%_!]/g, "!$&")}%`)),
    identities === undefined ? null : Number(identities),
    identity ?? null,
    open ? 1 : 0,
  ] as const;
}

export class SqliteSessions implements Sessions {
  readonly #db: Database;
  readonly #onDelete: (session: string) => void;
  /** Environments that were read. The event path asks for them, so they are not queried again; see `forgetEnv`. */
  readonly #envs = new Map<string, Readonly<Record<string, string>>>();

  constructor(db: Database, onDelete: (session: string) => void) {
    this.#db = db;
    this.#onDelete = onDelete;
  }

  get(id: string): SessionRow | undefined {
    const row = this.#db.get<Row>(`SELECT ${COLUMNS} FROM sessions WHERE id = ? AND deleted = 0`, id);
    return row && toSession(row);
  }

  list(query: SessionQuery = {}) {
    const { limit = DEFAULT_LIMIT, cursor } = query;
    const [createdAt, id] = cursor === undefined ? [null, null] : readCursor(cursor);
    const rows = this.#db.all<Row>(
      `SELECT ${COLUMNS} FROM sessions
       WHERE ${MATCHES} AND (?7 IS NULL OR (created_at, id) < (?7, ?8))
       ORDER BY created_at DESC, id DESC LIMIT ?9`,
      ...matchValues(query),
      createdAt,
      id,
      limit + 1,
    );
    const sessions = rows.slice(0, limit).map(toSession);
    const last = sessions.at(-1);
    return { sessions, nextCursor: rows.length > limit && last ? writeCursor(last) : undefined };
  }

  count(query: SessionQuery): number {
    const row = this.#db.get<{ count: number }>(
      `SELECT count(*) AS count FROM sessions WHERE ${MATCHES}`,
      ...matchValues(query),
    );
    return row?.count ?? 0;
  }

  env(id: string): Readonly<Record<string, string>> {
    const known = this.#envs.get(id);
    if (known) return known;
    const row = this.#db.get<{ env: string }>("SELECT env FROM sessions WHERE id = ?", id);
    // A session that is not stored yet gets its environment later.
    if (!row) return NO_ENV;
    const env = row.env === "{}" ? NO_ENV : Object.freeze(JSON.parse(row.env) as Record<string, string>);
    this.#envs.set(id, env);
    return env;
  }

  /** A commit has written the session's environment, or the session was deleted. */
  forgetEnv(id: string): void {
    this.#envs.delete(id);
  }

  grants(): Grant[] {
    const rows = this.#db.all<{ grants: string }>(
      `SELECT view -> '$.grants' AS grants FROM sessions
       WHERE deleted = 0 AND json_array_length(view, '$.grants') > 0 ORDER BY created_at, id`,
    );
    return rows.flatMap((row) => JSON.parse(row.grants) as Grant[]);
  }

  byHandle(agent: string): Map<string, string> {
    const rows = this.#db.all<{ id: string; handle: string }>(
      `SELECT sessions.id, held.value AS handle FROM sessions, json_each(view, '$.handles') held
       WHERE deleted = 0 AND held.key = ? ORDER BY created_at`,
      agent,
    );
    return new Map(rows.map(({ id, handle }) => [handle, id]));
  }

  markDeleted(id: string): void {
    this.#db.run("UPDATE sessions SET deleted = 1 WHERE id = ?", id);
  }

  listDeleted(): string[] {
    return this.#db.all<{ id: string }>("SELECT id FROM sessions WHERE deleted = 1 ORDER BY id").map((row) => row.id);
  }

  delete(id: string): { blobs: string[] } {
    const blobs = this.#db.transaction(() => {
      const orphaned = this.#db.all<{ blob: string }>(
        `SELECT blob FROM blob_refs mine WHERE session = ?1
         AND NOT EXISTS (SELECT 1 FROM blob_refs WHERE blob = mine.blob AND session <> ?1)`,
        id,
      );
      this.#db.run("DELETE FROM search WHERE rowid IN (SELECT id FROM events WHERE session = ?)", id);
      closeUsage(this.#db, id);
      for (const table of OWNED) this.#db.run(`DELETE FROM ${table} WHERE session = ?`, id);
      this.#db.run("DELETE FROM records WHERE kind = ? AND id = ?", SESSION_SERVERS, id);
      this.#db.run("DELETE FROM sessions WHERE id = ?", id);
      return orphaned.map((row) => row.blob);
    });
    this.forgetEnv(id);
    this.#onDelete(id);
    return { blobs };
  }
}

function toSession(row: Row): SessionRow {
  const { id, agent, title, cwd, pending } = row;
  return {
    id,
    agent,
    title,
    cwd,
    pending,
    state: row.state as SessionState,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastSeq: row.last_seq,
    archived: row.archived === 1,
    view: JSON.parse(row.view) as SessionView,
    request: row.request ?? undefined,
  };
}

function writeCursor({ createdAt, id }: SessionRow): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");
}

function readCursor(cursor: string): [string, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string")
      return [value[0], value[1]];
  } catch {
    // Not JSON: refused below.
  }
  throw new GantryError("invalid", "The cursor is not a cursor of a session list.", {
    remedy: "Start again without a cursor.",
  });
}
