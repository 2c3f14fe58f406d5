import type { SessionView } from "@gantry/protocol";
import { navigate } from "wouter/use-browser-location";
import { Cell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { toast, toastError } from "../store/toasts.ts";

export type SessionDialog =
  | "handOff"
  | "exportSession"
  | "folders"
  | "context"
  | "budget"
  | "lead"
  | "revert"
  | "remove";

/** The open dialog of the session's menu. The command palette opens them as well. */
export const sessionDialog = new Cell<{ session: string; dialog: SessionDialog } | undefined>(undefined);

export function openSessionDialog({ id }: Pick<SessionView, "id">, dialog: SessionDialog): void {
  sessionDialog.set({ session: id, dialog });
}

/** Copies the session and opens the copy. */
export function forkSession(id: string): void {
  toastFailure(
    client.sessions.fork(id).then((next) => {
      storeSession(next);
      navigate(`/s/${next.id}`);
    }),
  );
}

/** Ends the agent's process. The next message starts it again. */
export function releaseSession(id: string): void {
  toastFailure(
    client.sessions.close(id).then(({ released }) => {
      const text = released ? "Agent process released." : "No agent process was running.";
      toast({ tone: "info", text, remedy: "The next message resumes the session." });
    }),
  );
}

export function copySessionId(id: string): void {
  toastFailure(navigator.clipboard.writeText(id).then(() => toast({ tone: "info", text: "Copied." })));
}

function toastFailure(work: Promise<unknown>): void {
  work.catch(toastError);
}
