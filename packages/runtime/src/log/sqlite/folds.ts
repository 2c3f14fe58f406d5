import { type Envelope, foldSession, type SessionView, sessionState } from "@gantry/protocol";
import type { Database } from "./database.ts";
import { bookUsage } from "./usage.ts";

const CACHES = ["inputs", "blob_refs"];
const PAGE = 1000;
const BLOB_REFERENCE = /"blob":"([0-9a-f]{64})"/g;

/** Updates the caches that do not depend on the view for a stored event. */
export function foldEvent(db: Database, event: Envelope, json: string): void {
  if (event.type === "input.requested") insertInput(db, event);
  if (event.type === "input.resolved") resolveInput(db, event);
  if (!json.includes('"blob":"')) return;
  for (const [, blob] of json.matchAll(BLOB_REFERENCE)) {
    db.run("INSERT OR IGNORE INTO blob_refs (session, blob) VALUES (?, ?)", event.session, blob!);
  }
}

/** Folds `events` onto `view`, and records each turn's usage. */
export function foldView(
  db: Database,
  view: SessionView | undefined,
  events: Iterable<Envelope>,
): SessionView | undefined {
  let current = view;
  for (const event of events) {
    current = foldSession(current, event);
    if (event.type === "turn.ended") bookUsage(db, event, current);
  }
  return current;
}

export function storeView(db: Database, view: SessionView): void {
  const values = [
    view.agent,
    view.title,
    sessionState(view),
    view.cwd,
    view.createdAt,
    view.updatedAt,
    view.lastSeq,
    view.inputs.length,
    view.archived ? 1 : 0,
    JSON.stringify(view),
  ];
  db.run(
    `INSERT INTO sessions (id, agent, title, state, cwd, created_at, updated_at, last_seq, pending, archived, view)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, title = excluded.title, state = excluded.state,
       cwd = excluded.cwd, created_at = excluded.created_at, updated_at = excluded.updated_at,
       last_seq = excluded.last_seq, pending = excluded.pending, archived = excluded.archived, view = excluded.view`,
    view.id,
    ...values,
  );
}

export function loadView(db: Database, session: string): SessionView | undefined {
  const row = db.get<{ view: string }>("SELECT view FROM sessions WHERE id = ?", session);
  return row && (JSON.parse(row.view) as SessionView);
}

/** Rebuilds the caches of a session from its events, with the same result as committing them again. */
export function rebuild(db: Database, session: string): void {
  db.transaction(() => {
    for (const table of CACHES) db.run(`DELETE FROM ${table} WHERE session = ?`, session);
    // Rows below zero belong to a deleted session of the same id; see `closeUsage`.
    db.run("DELETE FROM usage WHERE session = ? AND seq > 0", session);
    let view: SessionView | undefined;
    for (const { body } of pages(db, session)) {
      const event = JSON.parse(body) as Envelope;
      view = foldSession(view, event);
      foldEvent(db, event, body);
      if (event.type === "turn.ended") bookUsage(db, event, view);
    }
    if (view) storeView(db, view);
  });
}

function insertInput(db: Database, event: Envelope<"input.requested">): void {
  db.run(
    `INSERT INTO inputs (id, session, seq, state) VALUES (?, ?, ?, 'pending')
     ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, state = 'pending', resolution = NULL
       WHERE inputs.session = excluded.session`,
    event.data.id,
    event.session,
    event.seq,
  );
}

function resolveInput(db: Database, event: Envelope<"input.resolved">): void {
  db.run(
    "UPDATE inputs SET state = 'resolved', resolution = ? WHERE id = ? AND session = ?",
    JSON.stringify(event.data),
    event.data.id,
    event.session,
  );
}

function* pages(db: Database, session: string): Generator<{ id: number; seq: number; body: string }> {
  for (let after = 0; ; ) {
    const rows = db.all<{ id: number; seq: number; body: string }>(
      "SELECT id, seq, body FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?",
      session,
      after,
      PAGE,
    );
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.seq;
  }
}
