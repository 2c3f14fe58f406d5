import { flushCells } from "../../store/cell.ts";
import { client } from "../../store/client.ts";
import { openedSession } from "../../store/early.ts";
import { onEvent } from "../../store/feed.ts";
import { TranscriptWindow } from "./window.ts";

const KEPT = 6;
const windows = new Map<string, TranscriptWindow>();

onEvent((event) => windows.get(event.session)?.take(event));

// A page that is opened at a session asks for its events at once, while all else is still on its way.
if (openedSession && !location.hash) void windowOf(openedSession).latest().then(flushCells);

/** The window of a session. Those of the last few sessions are kept and go on, so that coming back to one is instant. */
export function windowOf(session: string): TranscriptWindow {
  const known = windows.get(session);
  const window = known ?? new TranscriptWindow((query) => client.sessions.events(session, query));
  windows.delete(session);
  windows.set(session, window);
  for (const other of [...windows.keys()].slice(0, -KEPT)) windows.delete(other);
  return window;
}
