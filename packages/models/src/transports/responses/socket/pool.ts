import type { Json } from "../../json.ts";
import { openSocket, type SocketConnection } from "./connection.ts";
import { continuationOf, type ServerState } from "./continuation.ts";

/** OpenAI closes a connection after 60 minutes. */
const MAX_AGE_MS = 55 * 60_000;
const IDLE_MS = 5 * 60_000;
const CONNECT_MS = 15_000;

/** A connection that one request holds. `isReused`: it was open before this request. */
export type Lease = {
  connection: SocketConnection;
  isReused: boolean;
  state: ServerState | undefined;
  /** Keeps the connection for the next request of the session. */
  release(state: ServerState | undefined): void;
  discard(): void;
};

export type SocketTarget = { sessionId: string; url: string; headers: Record<string, string> };

type Entry = {
  sessionId: string;
  key: string;
  connection: SocketConnection;
  openedAt: number;
  state: ServerState | undefined;
  isBusy: boolean;
  timer?: NodeJS.Timeout;
};

/** The connections of this process. A connection runs one request at a time, so a session may have several. */
const entries = new Set<Entry>();

/** Takes an idle connection of the session, or opens one. Rejects if it cannot be opened. `fresh`: never an idle one. */
export async function leaseConnection(
  target: SocketTarget,
  body: Json,
  { signal, fresh, idleMs = IDLE_MS }: { signal: AbortSignal; fresh: boolean; idleMs?: number },
): Promise<Lease> {
  const key = JSON.stringify([target.sessionId, target.url, target.headers]);
  const idle = fresh ? undefined : findIdle(key, body);
  if (idle) return hold(idle, true, idleMs);
  const { url, headers, sessionId } = target;
  const connection = await openSocket(url, { headers, signal, timeoutMs: CONNECT_MS });
  const entry: Entry = { sessionId, key, connection, openedAt: Date.now(), state: undefined, isBusy: true };
  entries.add(entry);
  return hold(entry, false, idleMs);
}

/** Closes the idle connections of a session, or of all. Connections in use are closed by their requests. */
export function closeIdle(sessionId?: string): void {
  for (const entry of [...entries]) {
    if (!entry.isBusy && (sessionId === undefined || entry.sessionId === sessionId)) remove(entry);
  }
}

/** Prefers the connection whose server has the conversation. */
function findIdle(key: string, body: Json): Entry | undefined {
  const idle = [...entries].filter((entry) => entry.key === key && !entry.isBusy);
  const usable = idle.filter((entry) => entry.connection.isOpen && Date.now() - entry.openedAt < MAX_AGE_MS);
  for (const entry of idle) if (!usable.includes(entry)) remove(entry);
  const withState = usable.length > 1 ? usable.find(({ state }) => state && continuationOf(body, state)) : undefined;
  return withState ?? usable.at(-1);
}

function hold(entry: Entry, isReused: boolean, idleMs: number): Lease {
  entry.isBusy = true;
  clearTimeout(entry.timer);
  const { connection, state } = entry;
  return {
    connection,
    isReused,
    state,
    release(next) {
      if (!connection.isOpen) return remove(entry);
      entry.state = next;
      entry.isBusy = false;
      connection.listen({ message: () => {}, closed: () => remove(entry) });
      entry.timer = setTimeout(() => remove(entry), idleMs);
      entry.timer.unref();
    },
    discard: () => remove(entry),
  };
}

function remove(entry: Entry): void {
  clearTimeout(entry.timer);
  entries.delete(entry);
  entry.connection.listen(undefined);
  entry.connection.close();
}
