import { type Envelope, foldSession, lastActivity, type Session, type SessionView } from "@gantry/protocol";
import { Cell, flushCells } from "../cell.ts";
import { client } from "../connection/client.ts";

/** All loaded sessions by id. Older sessions are loaded in pages. */
const views = new Map<string, Cell<SessionView | undefined>>();

/** The ids of all loaded sessions, last active first. */
export const sessionIds = new Cell<readonly string[]>([]);
/** The cursor of the next page of older sessions, if there is one. */
export const olderSessions = new Cell<string | undefined>(undefined);
/** The number of sessions on those pages. */
export const unloadedSessions = new Cell(0);
/** Incremented on every change of any session, for components that read many of them. */
export const sessionChanges = new Cell(0);
/** False until the first page is loaded; until then "no sessions" is not known. */
export const sessionsLoaded = new Cell(false);

const PAGE = 200;
const fetching = new Set<string>();

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

/** Loads the newest page of sessions, and all sessions that are not done, however old they are. */
export async function loadSessions(): Promise<void> {
  const before = knownSessions();
  const [{ sessions, nextCursor, total = 0 }, open] = await Promise.all([
    client.sessions.list({ limit: PAGE }),
    loadOpenSessions(),
  ]);
  for (const session of [...sessions, ...open]) storeSession(session);
  forgetMissing(before, sessions, nextCursor === undefined);
  if (!sessionsLoaded.get()) olderSessions.set(nextCursor);
  unloadedSessions.set(olderSessions.get() ? Math.max(0, total - countLoaded()) : 0);
  sessionsLoaded.set(true);
}

async function loadOpenSessions(): Promise<Session[]> {
  const found: Session[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    const page = await client.sessions.list({ open: "1", identities: "all", limit: 500, cursor });
    found.push(...page.sessions);
    cursor = page.nextCursor;
  }
  return found;
}

/** The number of loaded sessions of the default list: neither archived nor of an identity. */
function countLoaded(): number {
  return knownSessions().filter(({ archived, identity }) => !archived && identity === undefined).length;
}

/**
 * Removes sessions that were loaded before the list was requested and should be on its page but are not, because they
 * were deleted. `whole`: the list has only one page.
 */
function forgetMissing(known: readonly SessionView[], listed: readonly Session[], whole: boolean): void {
  const listedIds = new Set(listed.map((session) => session.id));
  const oldest = listed.at(-1)?.createdAt ?? "";
  for (const view of known) {
    const isExpected = !view.archived && view.identity === undefined && (whole || view.createdAt > oldest);
    if (isExpected && !listedIds.has(view.id)) forgetSession(view.id);
  }
}

export async function loadOlderSessions(): Promise<void> {
  const cursor = olderSessions.get();
  if (!cursor) return;
  const { sessions, nextCursor } = await client.sessions.list({ limit: PAGE, cursor });
  const before = countLoaded();
  for (const session of sessions) storeSession(session);
  olderSessions.set(nextCursor);
  unloadedSessions.update((count) => (nextCursor ? Math.max(0, count - (countLoaded() - before)) : 0));
}

/** Loads a session. Throws `no_such_session`. */
export async function loadSession(id: string): Promise<SessionView> {
  storeSession(await client.sessions.get(id));
  // The caller waits for it: do not wait for the next frame.
  flushCells();
  return sessionCell(id).get() as SessionView;
}

/** Stores a session from the daemon, unless the page has already applied later events. */
export function storeSession(session: Session): void {
  const cell = sessionCell(session.id);
  const before = cell.get();
  if (before && before.lastSeq > session.lastSeq) return;
  cell.set(viewOf(session, before));
  sessionChanges.update(increment);
  updateOrder(session.id);
}

export function applyEvent(event: Envelope): void {
  const cell = sessionCell(event.session);
  const before = cell.get();
  if (!before && event.type !== "session.created") return void fetchUnknown(event.session);
  if (before && event.seq <= before.lastSeq) return;
  if (event.type === "session.ended" && event.data.reason === "deleted") return forgetSession(event.session);
  cell.set(foldSession(before, event));
  sessionChanges.update(increment);
  updateOrder(event.session);
}

export function forgetSession(id: string): void {
  sessionIds.update((ids) => ids.filter((known) => known !== id));
  sessionCell(id).set(undefined);
  sessionChanges.update(increment);
}

function increment(count: number): number {
  return count + 1;
}

/** Loads a session that received an event but is not on the loaded pages. */
async function fetchUnknown(id: string): Promise<void> {
  if (fetching.has(id)) return;
  fetching.add(id);
  await loadSession(id).catch(() => undefined);
  fetching.delete(id);
}

function activityOf(id: string): string {
  const view = sessionCell(id).get();
  return view ? lastActivity(view).at : "";
}

/** Moves a session to its position in the order by last activity. */
function updateOrder(id: string): void {
  sessionIds.update((ids) => {
    if (ids[0] === id) return ids;
    const at = activityOf(id);
    const rest = ids.filter((known) => known !== id);
    const before = rest.findIndex((other) => activityOf(other) <= at);
    return before < 0 ? [...rest, id] : rest.toSpliced(before, 0, id);
  });
}

/**
 * The view that later events are folded into. Fields that the daemon does not send start empty and are filled by events.
 */
function viewOf(session: Session, before?: SessionView): SessionView {
  const { state, steers = [], ...fields } = session;
  return {
    sent: steers,
    tools: [],
    subagents: [],
    grants: [],
    ...fields,
    queue: session.queue,
    ended: state === "ended" ? (before?.ended ?? "archived") : undefined,
  };
}
