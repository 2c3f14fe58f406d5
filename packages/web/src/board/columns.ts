import type { SessionView } from "@gantry/protocol";
import { isUnread } from "../store/sessions/seen.ts";

export type ColumnId = "need" | "working" | "held" | "done";

/** The board's columns from left to right, each with the text of its empty state. */
export const columns: readonly { id: ColumnId; name: string; empty: string }[] = [
  { id: "need", name: "Needs you", empty: "No agent is waiting for you." },
  { id: "working", name: "Working", empty: "No agent is working." },
  { id: "held", name: "Held", empty: "No session is held by a limit or a queue." },
  { id: "done", name: "Done", empty: "Finished sessions appear here, unread ones first." },
];

/** The column of a session. */
export function columnOf(session: SessionView): ColumnId {
  if (session.ended) return "done";
  if (session.inputs.length > 0) return "need";
  if (session.stalled) return "held";
  if (session.turn) return "working";
  return session.limit || session.queue.length > 0 ? "held" : "done";
}

export type Arrangement = Record<ColumnId, SessionView[]>;

/**
 * Sorts sessions into columns. The order within a column depends only on what the column is about, not on every event:
 * newest request first, newest turn first, and in "Done" unread sessions first.
 */
export function arrange(sessions: readonly SessionView[], marks: Record<string, number>): Arrangement {
  const arranged: Arrangement = { need: [], working: [], held: [], done: [] };
  for (const session of sessions) arranged[columnOf(session)].push(session);
  arranged.need.sort(latestFirst((session) => session.inputs.at(-1)?.id ?? ""));
  arranged.working.sort(latestFirst((session) => session.turn?.startedAt ?? ""));
  arranged.held.sort(latestFirst((session) => session.updatedAt));
  const ended = latestFirst((session) => session.lastTurn?.endedAt ?? session.createdAt);
  arranged.done.sort((a, b) => Number(isUnread(b, marks)) - Number(isUnread(a, marks)) || ended(a, b));
  return arranged;
}

/** Keeps sessions in the order of `before`; new ones come last. */
export function keepOrder(before: readonly string[], sessions: readonly SessionView[]): SessionView[] {
  const position = new Map(before.map((id, index) => [id, index]));
  const place = (session: SessionView) => position.get(session.id) ?? before.length;
  return [...sessions].sort((a, b) => place(a) - place(b));
}

function latestFirst(key: (session: SessionView) => string): (a: SessionView, b: SessionView) => number {
  return (a, b) => (key(a) === key(b) ? 0 : key(a) > key(b) ? -1 : 1);
}
