import type { SessionView } from "@gantry/protocol";
import { isUnread } from "../store/seen.ts";

export type ColumnId = "need" | "working" | "waiting" | "done";

/** The board's columns from left to right, each with what it says while it is empty. */
export const columns: readonly { id: ColumnId; name: string; empty: string }[] = [
  { id: "need", name: "Needs you", empty: "No agent waits for an answer." },
  { id: "working", name: "Working", empty: "No agent is at work." },
  { id: "waiting", name: "Waiting", empty: "Nothing is held up by a limit or a queue." },
  { id: "done", name: "Done", empty: "Finished turns come here, unread ones first." },
];

/** Where a session stands on the board. */
export function columnOf(session: SessionView): ColumnId {
  if (session.ended) return "done";
  if (session.inputs.length > 0) return "need";
  if (session.stalled) return "waiting";
  if (session.turn) return "working";
  return session.limit || session.queue.length > 0 ? "waiting" : "done";
}

export type Arrangement = Record<ColumnId, SessionView[]>;

/**
 * Sessions in their columns. The order within a column changes only with what the column is about, not with every
 * event: the newest question, the newest turn, and of what is done the unread first.
 */
export function arrange(sessions: readonly SessionView[], marks: Record<string, number>): Arrangement {
  const arranged: Arrangement = { need: [], working: [], waiting: [], done: [] };
  for (const session of sessions) arranged[columnOf(session)].push(session);
  arranged.need.sort(latestFirst((session) => session.inputs.at(-1)?.id ?? ""));
  arranged.working.sort(latestFirst((session) => session.turn?.startedAt ?? ""));
  arranged.waiting.sort(latestFirst((session) => session.updatedAt));
  const ended = latestFirst((session) => session.lastTurn?.endedAt ?? session.createdAt);
  arranged.done.sort((a, b) => Number(isUnread(b, marks)) - Number(isUnread(a, marks)) || ended(a, b));
  return arranged;
}

/** The sessions in the order that a reader has before him; those that he has not seen yet come last. */
export function keepOrder(before: readonly string[], sessions: readonly SessionView[]): SessionView[] {
  const position = new Map(before.map((id, index) => [id, index]));
  const place = (session: SessionView) => position.get(session.id) ?? before.length;
  return [...sessions].sort((a, b) => place(a) - place(b));
}

function latestFirst(key: (session: SessionView) => string): (a: SessionView, b: SessionView) => number {
  return (a, b) => (key(a) === key(b) ? 0 : key(a) > key(b) ? -1 : 1);
}
