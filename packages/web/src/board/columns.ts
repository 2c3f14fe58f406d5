import {
  compareStatuses,
  groupNames,
  type Launch,
  launchStatus,
  type SessionGroup,
  type SessionStatus,
  type SessionView,
  sessionGroups,
  sessionStatus,
  slotStatus,
} from "@gantry/protocol";

const empty: Record<SessionGroup, string> = {
  needs_you: "No agent waits for you.",
  working: "No agent is working.",
  held: "No session is held by a limit or a paused queue.",
  done: "Finished sessions appear here.",
};

/** The board's columns from left to right, each with the text of its empty state. */
export const columns = sessionGroups.map((id) => ({ id, name: groupNames[id], empty: empty[id] }));

/** One slot of a launch on the board; without a session while it is being prepared. */
export type SlotEntry = { agent: string; name: string; session?: SessionView; status: SessionStatus };

/** What a card shows: a session, or a launch with its sessions. */
export type BoardEntry = { id: string; status: SessionStatus } & (
  | { session: SessionView; launch?: undefined }
  | { launch: Launch; slots: SlotEntry[]; session?: undefined }
);

export type Arrangement = Record<SessionGroup, BoardEntry[]>;

/**
 * Sorts sessions into columns, in the order of every list (`compareStatuses`). Sessions of a launch with more than one
 * slot share a card, in the column of the most urgent of them.
 */
export function arrange(sessions: readonly SessionView[], launches: readonly Launch[]): Arrangement {
  const now = new Date();
  const arranged: Arrangement = { needs_you: [], working: [], held: [], done: [] };
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const entries: BoardEntry[] = [];
  for (const launch of launches) {
    const entry = launchEntry(launch, byId, now);
    if (!entry) continue;
    entries.push(entry);
    for (const { session } of launch.slots) byId.delete(session);
  }
  for (const session of byId.values()) entries.push({ id: session.id, session, status: sessionStatus(session, now) });
  entries.sort((a, b) => compareStatuses(a.status, b.status));
  for (const entry of entries) arranged[entry.status.group].push(entry);
  return arranged;
}

/** The number of sessions in a column: a launch counts as its sessions. */
export function countSessions(entries: readonly BoardEntry[]): number {
  return entries.reduce((sum, { launch }) => sum + (launch ? launch.slots.length : 1), 0);
}

/** `undefined` for a launch of which fewer than two sessions are shown. */
function launchEntry(launch: Launch, shown: ReadonlyMap<string, SessionView>, now: Date): BoardEntry | undefined {
  if (launch.slots.filter(({ session }) => shown.has(session)).length < 2) return undefined;
  const slots = launch.slots.map((slot): SlotEntry => {
    const session = shown.get(slot.session);
    const status = session ? sessionStatus(session, now) : slotStatus(slot, launch);
    return { agent: slot.agent, name: slot.name, session, status };
  });
  const status = launchStatus(
    launch,
    slots.map((slot) => slot.status),
  );
  return { id: launch.id, launch, slots, status };
}

/** Keeps entries in the order of `before`; new ones come last. */
export function keepOrder<T extends { id: string }>(before: readonly string[], entries: readonly T[]): T[] {
  const position = new Map(before.map((id, index) => [id, index]));
  const place = (entry: T) => position.get(entry.id) ?? before.length;
  return [...entries].sort((a, b) => place(a) - place(b));
}
