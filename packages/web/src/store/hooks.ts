import type { InputRequest, SessionView } from "@gantry/protocol";
import { useSyncExternalStore } from "react";
import { useCell } from "./cell.ts";
import { knownSessions, sessionCell, sessionChanges } from "./sessions.ts";

export function useSession(id: string): SessionView | undefined {
  return useCell(sessionCell(id));
}

/** Known sessions but those of identities, the last changed first; told whenever one of them changes. */
export function useSessions(): readonly SessionView[] {
  return useSyncExternalStore(sessionChanges.subscribe, () => allSessions().ordinary);
}

/** Known sessions, those of identities too. */
export function useAllSessions(): readonly SessionView[] {
  return useSyncExternalStore(sessionChanges.subscribe, () => allSessions().all);
}

export type PendingInput = { input: InputRequest; session: SessionView };

/** Everything that waits for a person, in all sessions; told when something comes or goes, not of every event. */
export function useInbox(): readonly PendingInput[] {
  return useSyncExternalStore(sessionChanges.subscribe, pendingInputs);
}

type Sessions = { all: readonly SessionView[]; ordinary: readonly SessionView[] };

let sessions: Sessions = { all: [], ordinary: [] };
let readAt = -1;

/** One list for all readers, put together again only after a change. */
function allSessions(): Sessions {
  if (readAt === sessionChanges.get()) return sessions;
  readAt = sessionChanges.get();
  const all = knownSessions();
  sessions = { all, ordinary: all.filter((session) => session.identity === undefined) };
  return sessions;
}

let pending: readonly PendingInput[] = [];

function pendingInputs(): readonly PendingInput[] {
  const now = allSessions().all.flatMap((session) => session.inputs.map((input) => ({ input, session })));
  const same = now.length === pending.length && now.every((entry, index) => isSame(entry, pending[index]));
  if (!same) pending = now;
  return pending;
}

function isSame(a: PendingInput, b: PendingInput | undefined): boolean {
  return a.input === b?.input && a.session.title === b.session.title;
}
