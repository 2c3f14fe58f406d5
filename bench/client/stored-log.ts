import { DatabaseSync } from "node:sqlite";
import { databaseOf } from "../made-history.ts";
import type { Conversation } from "../server.ts";

export type StoredLog = {
  /** All events. */
  events: number;
  /** The numbered events in the log, in their order. */
  numbers: number[];
  /** The sequence numbers that are missing. */
  gaps: number;
};

/**
 * Reads a session's log from the database file, without Gantry's code. Call it after the server was killed: what it finds
 * then was durable when the client received it.
 */
export function readStoredLog(home: string, { session, parseFrame }: Conversation): StoredLog {
  const database = new DatabaseSync(databaseOf(home));
  try {
    const rows = database.prepare("SELECT seq, type, body FROM events WHERE session = ? ORDER BY seq").all(session);
    const last = Number(rows.at(-1)?.seq ?? 0);
    const numbers = rows.flatMap(({ body }) =>
      parseFrame({ event: "event", data: String(body) }).flatMap((found) => (found.kind === "event" ? [found.n] : [])),
    );
    return { events: rows.length, numbers, gaps: last - rows.length };
  } finally {
    database.close();
  }
}
