import { Cell } from "../store/cell.ts";
import { client } from "../store/client.ts";
import { takeSession } from "../store/sessions.ts";
import { toastError } from "../store/toasts.ts";

const PAGE = 200;

/** How far the archive has been asked for: not at all, to a cursor with more behind it, or to its end. */
export type Reached = { asked: false } | { asked: true; cursor?: string };

export const archiveReached = new Cell<Reached>({ asked: false });

/** The next page of archived sessions; they join those that the page knows. Never throws. */
export async function loadArchived(): Promise<void> {
  const reached = archiveReached.get();
  const cursor = reached.asked ? reached.cursor : undefined;
  if (reached.asked && !cursor) return;
  try {
    const { sessions, nextCursor } = await client.sessions.list({ archived: "1", limit: PAGE, cursor });
    for (const session of sessions) takeSession(session);
    archiveReached.set({ asked: true, cursor: nextCursor });
  } catch (error) {
    toastError(error);
  }
}
