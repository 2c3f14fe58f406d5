import { lastActivity, type SessionView } from "@gantry/protocol";
import { storedCell } from "../stored-cell.ts";

const MAX_SESSIONS = 2000;

/** The last sequence number seen in this browser, by session. */
export const seen = storedCell<Record<string, number>>("seen", {});

/** Marks a session as read up to `seq`. */
export function markSeen(session: string, seq: number): void {
  seen.update((all) => {
    if ((all[session] ?? 0) >= seq) return all;
    const { [session]: _, ...rest } = all;
    const entries = Object.entries(rest);
    return { ...Object.fromEntries(entries.slice(-MAX_SESSIONS)), [session]: seq };
  });
}

/** Whether the conversation has new events since it was seen and no turn is running. System notes do not count. */
export function isUnread(view: SessionView, marks: Record<string, number>): boolean {
  return !view.turn && view.turns > 0 && lastActivity(view).seq > (marks[view.id] ?? 0);
}
