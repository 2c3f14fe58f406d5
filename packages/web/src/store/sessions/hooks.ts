import type { InputRequest, SessionView } from "@gantry/protocol";
import { useSyncExternalStore } from "react";
import { useCell } from "../cell.ts";
import { knownSessions, sessionCell, sessionChanges } from "./sessions.ts";

export function useSession(id: string): SessionView | undefined {
  return useCell(sessionCell(id));
}

/** All loaded sessions except those of identities, last changed first. */
export function useSessions(): readonly SessionView[] {
  return useSyncExternalStore(sessionChanges.subscribe, () => readSessions().ordinary);
}

/** All loaded sessions, including those of identities. */
export function useAllSessions(): readonly SessionView[] {
  return useSyncExternalStore(sessionChanges.subscribe, () => readSessions().all);
}

export type PendingInput = { input: InputRequest; session: SessionView };

/** The pending inputs of all sessions. Changes only when an input is added or settled. */
export function useInbox(): readonly PendingInput[] {
  return useSyncExternalStore(sessionChanges.subscribe, pendingInputs);
}

type Sessions = { all: readonly SessionView[]; ordinary: readonly SessionView[] };

let sessions: Sessions = { all: [], ordinary: [] };
let readAt = -1;

/** A shared list that is rebuilt only after a change. */
function readSessions(): Sessions {
  if (readAt === sessionChanges.get()) return sessions;
  readAt = sessionChanges.get();
  const all = knownSessions();
  sessions = { all, ordinary: all.filter((session) => session.identity === undefined) };
  return sessions;
}

let pending: readonly PendingInput[] = [];

function pendingInputs(): readonly PendingInput[] {
  const now = readSessions().all.flatMap((session) => session.inputs.map((input) => ({ input, session })));
  const same = now.length === pending.length && now.every((entry, index) => isSame(entry, pending[index]));
  if (!same) pending = now;
  return pending;
}

function isSame(a: PendingInput, b: PendingInput | undefined): boolean {
  return a.input === b?.input && a.session.title === b.session.title;
}
