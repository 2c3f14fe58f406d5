import { type Envelope, foldSession, type Session, type SessionView } from "@gantry/protocol";
import { Cell, flushCells } from "./cell.ts";
import { client } from "./client.ts";

/** All sessions that the page knows of, by id; those that are not here are older than what it has asked for. */
const views = new Map<string, Cell<SessionView | undefined>>();

/** Ids of all known sessions, the last changed first. */
export const sessionIds = new Cell<readonly string[]>([]);
/** Is there more than what has been asked for? */
export const olderSessions = new Cell<string | undefined>(undefined);
/** Counts the changes of all sessions, for whoever reads many of them. */
export const sessionChanges = new Cell(0);
/** False until the first list has come: before it, "no sessions" would be a guess. */
export const sessionsLoaded = new Cell(false);

const PAGE = 200;
const asked = new Set<string>();

export function sessionCell(id: string): Cell<SessionView | undefined> {
  const known = views.get(id);
  if (known) return known;
  const cell = new Cell<SessionView | undefined>(undefined);
  views.set(id, cell);
  return cell;
}

export function knownSessions(): SessionView[] {
  return sessionIds
    .get()
    .map((id) => sessionCell(id).get())
    .filter((view) => view !== undefined);
}

/** The newest page of sessions, and all that someone waits for, however old. */
export async function loadSessions(): Promise<void> {
  const before = knownSessions();
  const [{ sessions, nextCursor }, inbox] = await Promise.all([client.sessions.list({ limit: PAGE }), client.inbox()]);
  const known = new Set(sessions.map((session) => session.id));
  const others = [...new Set(inbox.map((input) => input.session))].filter((id) => !known.has(id));
  const waiting = await Promise.all(others.map((id) => client.sessions.get(id)));
  for (const session of [...sessions, ...waiting]) takeSession(session);
  forgetMissing(before, sessions, nextCursor === undefined);
  if (!sessionsLoaded.get()) olderSessions.set(nextCursor);
  sessionsLoaded.set(true);
}

/**
 * Of those that were known when the list was asked for: sessions that would be on this page of it if they were still
 * there, and are not. `whole`: it is the only page.
 */
function forgetMissing(known: readonly SessionView[], listed: readonly Session[], whole: boolean): void {
  const there = new Set(listed.map((session) => session.id));
  const oldest = listed.at(-1)?.createdAt ?? "";
  for (const view of known) {
    const due = !view.archived && (whole || view.createdAt > oldest);
    if (due && !there.has(view.id)) forgetSession(view.id);
  }
}

export async function loadOlderSessions(): Promise<void> {
  const cursor = olderSessions.get();
  if (!cursor) return;
  const { sessions, nextCursor } = await client.sessions.list({ limit: PAGE, cursor });
  for (const session of sessions) takeSession(session);
  olderSessions.set(nextCursor);
}

/** Makes sure that a session is known. Throws `no_such_session`. */
export async function loadSession(id: string): Promise<SessionView> {
  takeSession(await client.sessions.get(id));
  // Someone waits for it: not a frame later.
  flushCells();
  return sessionCell(id).get() as SessionView;
}

/** A session as the daemon tells it, unless the page has seen later events of it. */
export function takeSession(session: Session): void {
  const cell = sessionCell(session.id);
  const before = cell.get();
  if (before && before.lastSeq > session.lastSeq) return;
  cell.set(viewOf(session, before));
  sessionChanges.update(next);
  place(session.id);
}

export function takeEvent(event: Envelope): void {
  const cell = sessionCell(event.session);
  const before = cell.get();
  if (!before && event.type !== "session.created") return void fetchUnknown(event.session);
  if (before && event.seq <= before.lastSeq) return;
  if (event.type === "session.ended" && event.data.reason === "deleted") return forgetSession(event.session);
  cell.set(foldSession(before, event));
  sessionChanges.update(next);
  place(event.session);
}

export function forgetSession(id: string): void {
  sessionIds.update((ids) => ids.filter((known) => known !== id));
  sessionCell(id).set(undefined);
  sessionChanges.update(next);
}

function next(count: number): number {
  return count + 1;
}

/** An old session stirs that was not on the pages asked for. */
async function fetchUnknown(id: string): Promise<void> {
  if (asked.has(id)) return;
  asked.add(id);
  await loadSession(id).catch(() => undefined);
  asked.delete(id);
}

/** Keeps the order by last change: what changed now goes to the front. */
function place(id: string): void {
  sessionIds.update((ids) => {
    if (ids[0] === id) return ids;
    const at = sessionCell(id).get()?.updatedAt ?? "";
    const rest = ids.filter((known) => known !== id);
    const before = rest.findIndex((other) => (sessionCell(other).get()?.updatedAt ?? "") <= at);
    return before < 0 ? [...rest, id] : rest.toSpliced(before, 0, id);
  });
}

/**
 * The fold from which the page goes on. What the daemon does not tell, because only it needs it, starts empty: it is
 * filled by the events that follow.
 */
function viewOf(session: Session, before?: SessionView): SessionView {
  const { state, ...told } = session;
  return {
    sent: [],
    tools: [],
    subagents: [],
    grants: [],
    ...told,
    queue: session.queue,
    ended: state === "ended" ? (before?.ended ?? "archived") : undefined,
  };
}
