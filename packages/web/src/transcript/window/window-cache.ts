import { client } from "../../store/connection/client.ts";
import { onEvent, startFeedAt } from "../../store/sessions/feed.ts";
import { type LoadPage, TranscriptWindow } from "./window.ts";

/** More than the tiles of one view. */
const MAX_WINDOWS = 20;
const windows = new Map<string, TranscriptWindow>();

onEvent((event) => windows.get(event.session)?.take(event));

/** The window of a session. The most recent windows stay cached and subscribed, so that returning is instant. */
export function windowOf(session: string): TranscriptWindow {
  const known = windows.get(session);
  const window = known ?? new TranscriptWindow((query) => loadPage(session, query));
  windows.delete(session);
  windows.set(session, window);
  for (const other of [...windows.keys()].slice(0, -MAX_WINDOWS)) windows.delete(other);
  return window;
}

const loadPage = async (session: string, query: Parameters<LoadPage>[0]) => {
  const page = await client.sessions.events(session, query);
  startFeedAt(page.cursor);
  return page;
};
