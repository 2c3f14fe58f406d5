import type { SessionView } from "@gantry/protocol";
import { client } from "./client.ts";
import { takeSession } from "./sessions.ts";
import { toast, toastError } from "./toasts.ts";

/** Puts a session into the archive or takes it out, with a way back for as long as it is talked about. */
export async function archiveSession(
  { id, title }: Pick<SessionView, "id" | "title">,
  archived: boolean,
): Promise<void> {
  if (!(await patch(id, archived))) return;
  const text = archived ? `Archived “${title}”.` : `“${title}” is out of the archive.`;
  toast({ tone: "info", text, action: { label: "Undo", run: () => void patch(id, !archived) } });
}

async function patch(id: string, archived: boolean): Promise<boolean> {
  try {
    takeSession((await client.sessions.patch(id, { archived })).session);
    return true;
  } catch (error) {
    toastError(error);
    return false;
  }
}
