import { Cell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";

const PAGE = 200;

/** How much of the archive is loaded: nothing, up to a cursor, or everything (no cursor). */
export type ArchiveProgress = { started: false } | { started: true; cursor?: string };

export const archiveProgress = new Cell<ArchiveProgress>({ started: false });

/** Loads the next page of archived sessions into the store. Never throws. */
export async function loadArchived(): Promise<void> {
  const progress = archiveProgress.get();
  const cursor = progress.started ? progress.cursor : undefined;
  if (progress.started && !cursor) return;
  try {
    const { sessions, nextCursor } = await client.sessions.list({ archived: "1", limit: PAGE, cursor });
    for (const session of sessions) storeSession(session);
    archiveProgress.set({ started: true, cursor: nextCursor });
  } catch (error) {
    toastError(error);
  }
}
