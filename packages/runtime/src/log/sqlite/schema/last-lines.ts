import { type Envelope, type LastLine, lineOf, lineTypes } from "@gantry/protocol";
import type { Database } from "../database.ts";

const PAGE = 50;
const LINES = `SELECT seq, body FROM events WHERE session = ? AND seq < ? AND type IN (${lineTypes.map((type) => `'${type}'`).join(", ")}) ORDER BY seq DESC LIMIT ${PAGE}`;
const COMMANDS = "SELECT max(seq) AS seq FROM events WHERE session = ? AND type = 'commands.changed'";

/**
 * Adds `last` and `commandsAt` to views that were stored before these fields existed. Searches from the end of each log,
 * because folding a long log again would take seconds.
 */
export function addLastLines(db: Database): void {
  for (const { id } of db.all<{ id: string }>("SELECT id FROM sessions")) {
    const commands = db.get<{ seq: number | null }>(COMMANDS, id)?.seq ?? null;
    const last = lastLine(db, id);
    if (commands !== null)
      db.run("UPDATE sessions SET view = json_set(view, '$.commandsAt', ?) WHERE id = ?", commands, id);
    if (last)
      db.run("UPDATE sessions SET view = json_set(view, '$.last', json(?)) WHERE id = ?", JSON.stringify(last), id);
  }
}

function lastLine(db: Database, session: string): LastLine | undefined {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = db.all<{ seq: number; body: string }>(LINES, session, before);
    for (const { body } of rows) {
      const line = lineOf(JSON.parse(body) as Envelope);
      if (line) return line;
    }
    const oldest = rows.at(-1);
    if (!oldest || rows.length < PAGE) return undefined;
    before = oldest.seq;
  }
}
