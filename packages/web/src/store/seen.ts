import type { SessionView } from "@gantry/protocol";
import { keptCell } from "./kept.ts";

const MOST = 2000;

/** How far each session has been read in this browser. */
export const seen = keptCell<Record<string, number>>("seen", {});

/** The reader has the end of the session before him. */
export function markSeen(session: string, seq: number): void {
  seen.update((all) => {
    if ((all[session] ?? 0) >= seq) return all;
    const { [session]: _, ...rest } = all;
    const entries = Object.entries(rest);
    return { ...Object.fromEntries(entries.slice(-MOST)), [session]: seq };
  });
}

/** Has it said something since, and does it not say it right now? */
export function isUnread(view: SessionView, marks: Record<string, number>): boolean {
  return !view.turn && view.turns > 0 && view.lastSeq > (marks[view.id] ?? 0);
}
