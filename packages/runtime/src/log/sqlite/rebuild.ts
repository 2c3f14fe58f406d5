import { type Envelope, foldSession, type SessionView } from "@gantry/protocol";
import type { Database } from "./database.ts";
import { foldEvent, foldUsage, storeView } from "./folds.ts";

const CACHES = ["inputs", "usage", "blob_refs"];
const PAGE = 1000;

/** Throws the caches of a session away and folds them anew from its events, as if these had just been committed. */
export function rebuild(db: Database, session: string): void {
  db.transaction(() => {
    db.run("DELETE FROM search WHERE rowid IN (SELECT id FROM events WHERE session = ?)", session);
    for (const table of CACHES) db.run(`DELETE FROM ${table} WHERE session = ?`, session);
    let view: SessionView | undefined;
    for (const { id, body } of pages(db, session)) {
      const event = JSON.parse(body) as Envelope;
      view = foldSession(view, event);
      foldEvent(db, event, id, body);
      if (event.type === "turn.ended") foldUsage(db, event, view);
    }
    if (view) storeView(db, view);
  });
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
