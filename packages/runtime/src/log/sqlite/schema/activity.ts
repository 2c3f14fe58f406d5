import { activityTypes } from "@gantry/protocol";
import type { Database } from "../database.ts";

const TYPES = activityTypes.map((type) => `'${type}'`).join(", ");

/**
 * Adds `activity`, and the time of pending inputs, to views that were stored before these fields existed. System notes no
 * longer change `updatedAt`, so it becomes the time of the activity.
 */
export function addActivity(db: Database): void {
  db.exec(`
    UPDATE sessions SET view = json_set(view, '$.activity', (
      SELECT json_object('seq', seq, 'at', body ->> '$.at') FROM events
      WHERE session = sessions.id AND type IN (${TYPES}) ORDER BY seq DESC LIMIT 1))
    WHERE view -> '$.activity' IS NULL
      AND EXISTS (SELECT 1 FROM events WHERE session = sessions.id AND type IN (${TYPES}));
    UPDATE sessions SET updated_at = view ->> '$.activity.at', view = json_set(view, '$.updatedAt', view ->> '$.activity.at')
    WHERE view -> '$.activity' IS NOT NULL;
  `);
  const pending = db.all<{ session: string; place: number; at: string }>(
    `SELECT s.id AS session, i.key AS place, e.body ->> '$.at' AS at FROM sessions s, json_each(s.view, '$.inputs') i
     JOIN inputs n ON n.id = i.value ->> '$.id' AND n.session = s.id
     JOIN events e ON e.session = s.id AND e.seq = n.seq`,
  );
  for (const { session, place, at } of pending)
    db.run(
      "UPDATE sessions SET view = json_set(view, ?, ?) WHERE id = ?",
      `$.inputs[${place}].requestedAt`,
      at,
      session,
    );
}
