import { type Envelope, foldSession, type SessionView } from "@gantry/protocol";
import type { Database } from "../database.ts";

const LAST_TURN = `SELECT max(seq) AS seq FROM events WHERE session = ?1 AND type = 'turn.started'
  AND seq < (SELECT max(seq) FROM events WHERE session = ?1 AND type = 'turn.ended')`;
const TURN = `SELECT body FROM events WHERE session = ? AND seq >= ?
  AND type IN ('turn.started', 'message.done', 'tool.started', 'tool.ended', 'turn.ended') ORDER BY seq`;

/**
 * Gives views of sessions that were written before they had one their summary, from the last turn that ended. A turn
 * that runs right now gets its own when it ends.
 */
export function addSummaries(db: Database): void {
  for (const { id, view } of db.all<{ id: string; view: string }>("SELECT id, view FROM sessions")) {
    const from = db.get<{ seq: number | null }>(LAST_TURN, id)?.seq;
    if (from === null || from === undefined) continue;
    let folded = { ...(JSON.parse(view) as SessionView), tools: [] };
    for (const { body } of db.all<{ body: string }>(TURN, id, from)) {
      const event = JSON.parse(body) as Envelope;
      folded = foldSession(folded, event) as typeof folded;
      if (event.type === "turn.ended") break;
    }
    const { summary, summaryBy } = folded;
    if (!summary) continue;
    const sum = "UPDATE sessions SET view = json_set(view, '$.summary', ?, '$.summaryBy', ?) WHERE id = ?";
    db.run(sum, summary, summaryBy ?? "log", id);
  }
}
