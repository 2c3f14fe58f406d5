import type { SessionView } from "@gantry/protocol";
import { client } from "../connection/client.ts";
import { toast, toastError } from "../toasts.ts";
import { storeSession } from "./sessions.ts";

/** Archives or unarchives a session and shows a toast with an undo button. */
export async function archiveSession(
  { id, title }: Pick<SessionView, "id" | "title">,
  archived: boolean,
): Promise<void> {
  if (!(await patch(id, archived))) return;
  const text = archived ? `Archived “${title}”.` : `Unarchived “${title}”.`;
  toast({ tone: "info", text, action: { label: "Undo", run: () => void patch(id, !archived) } });
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
