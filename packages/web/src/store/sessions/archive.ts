import type { SessionView } from "@gantry/protocol";
import { client } from "../connection/client.ts";
import { toast, toastError } from "../toasts.ts";
import { storeSession } from "./sessions.ts";

type Archivable = Pick<SessionView, "id" | "title">;

/** Archives or unarchives a session and shows a toast with an undo button. */
export function archiveSession(session: Archivable, archived: boolean): Promise<void> {
  return archiveSessions([session], archived);
}

/** Archives or unarchives sessions. One toast counts those that changed and undoes all of them. */
export async function archiveSessions(sessions: readonly Archivable[], archived: boolean): Promise<void> {
  const results = await Promise.all(
    sessions.map(async (session) => ((await patch(session.id, archived)) ? session : [])),
  );
  const changed = results.flat();
  const [first] = changed;
  if (!first) return;
  const what = changed.length === 1 ? `“${first.title}”` : `${changed.length} sessions`;
  const undo = () => void Promise.all(changed.map(({ id }) => patch(id, !archived)));
  toast({
    tone: "info",
    text: `${archived ? "Archived" : "Unarchived"} ${what}.`,
    action: { label: "Undo", run: undo },
  });
}

async function patch(id: string, archived: boolean): Promise<boolean> {
  try {
    storeSession((await client.sessions.patch(id, { archived })).session);
    return true;
  } catch (error) {
    toastError(error);
    return false;
  }
}
