import type { InputRequest, SessionView } from "@gantry/protocol";
import { useMemo, useSyncExternalStore } from "react";
import { useCell } from "./cell.ts";
import { sessionCell, sessionIds } from "./sessions.ts";

export function useSession(id: string): SessionView | undefined {
  return useCell(sessionCell(id));
}

/** All known sessions, the last changed first; told whenever one of them changes. */
export function useSessions(): readonly SessionView[] {
  const ids = useCell(sessionIds);
  const group = useMemo(() => new SessionGroup(ids), [ids]);
  return useSyncExternalStore(group.subscribe, group.get);
}

export type PendingInput = { input: InputRequest; session: SessionView };

/** Everything that waits for a person, in all sessions. */
export function useInbox(): PendingInput[] {
  const sessions = useSessions();
  return useMemo(() => sessions.flatMap((session) => session.inputs.map((input) => ({ input, session }))), [sessions]);
}

/** The cells of some sessions read as one list, which is the same object as long as none of them changed. */
class SessionGroup {
  readonly #ids: readonly string[];
  #last: readonly SessionView[] = [];

  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  get = (): readonly SessionView[] => {
    const now = this.#ids.map((id) => sessionCell(id).get()).filter((view) => view !== undefined);
    const same = now.length === this.#last.length && now.every((view, index) => view === this.#last[index]);
    if (!same) this.#last = now;
    return this.#last;
  };

  subscribe = (listener: () => void): (() => void) => {
    const stops = this.#ids.map((id) => sessionCell(id).subscribe(listener));
    return () => {
      for (const stop of stops) stop();
    };
  };
}
