import { flushCells } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { openedSession } from "../../store/connection/prefetch.ts";
import { onEvent } from "../../store/sessions/feed.ts";
import { TranscriptWindow } from "./window.ts";

const MAX_WINDOWS = 6;
const windows = new Map<string, TranscriptWindow>();

onEvent((event) => windows.get(event.session)?.take(event));

// A page that is loaded at a session requests its events immediately, before anything else.
if (openedSession && !location.hash) void windowOf(openedSession).loadLatest().then(flushCells);

/** The window of a session. The most recent windows stay cached and subscribed, so that returning is instant. */
export function windowOf(session: string): TranscriptWindow {
  const known = windows.get(session);
  const window = known ?? new TranscriptWindow((query) => client.sessions.events(session, query));
  windows.delete(session);
  windows.set(session, window);
  for (const other of [...windows.keys()].slice(0, -MAX_WINDOWS)) windows.delete(other);
  return window;
}
