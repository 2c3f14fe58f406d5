import { type AgentRow, ladder, type Mode, type SessionView } from "@gantry/protocol";
import type { Command } from "../shell/feature.ts";
import { client } from "../store/connection/client.ts";
import { pinState, projects, togglePin } from "../store/projects.ts";
import { archiveSession } from "../store/sessions/archive.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { toast, toastError } from "../store/toasts.ts";
import {
  copySessionId,
  forkSession,
  openSessionDialog,
  releaseSession,
  type SessionDialog,
} from "./session-actions.ts";

/** What the command palette can do with the open session: all that its menu can, and settings. */
export function sessionCommands(session: SessionView, row: AgentRow | undefined): Command[] {
  const { id, turn, archived, lastTurn } = session;
  const isPinned = pinState(session, projects.get());
  const open = (dialog: SessionDialog) => () => openSessionDialog(session, dialog);
  const stop = () => void client.sessions.interrupt(id).catch(toastError);
  return [
    ...(turn ? [{ name: "Stop the turn", keys: "mod+.", run: stop }] : []),
    { name: "Hand off to another agent…", run: open("handOff") },
    ...(row?.fork && !turn ? [{ name: "Fork this session", run: () => forkSession(id) }] : []),
    ...(lastTurn && !turn ? [{ name: "Revert the last turn…", run: open("revert") }] : []),
    { name: "Export this session…", run: open("exportSession") },
    ...(isPinned === undefined
      ? []
      : [{ name: isPinned ? "Unpin this session" : "Pin this session", run: () => void togglePin(session) }]),
    ...(turn && !archived
      ? []
      : [
          {
            name: archived ? "Unarchive this session" : "Archive this session",
            run: () => void archiveSession(session, !archived),
          },
        ]),
    { name: "Show what fills the context…", run: open("context") },
    { name: "Change further folders…", run: open("folders") },
    { name: "Change the budget…", run: open("budget") },
    { name: "Make this session a lead…", run: open("lead") },
    ...(turn ? [] : [{ name: "Release the agent process", run: () => releaseSession(id) }]),
    { name: "Copy the session ID", run: () => copySessionId(id) },
    { name: "Delete this session…", run: open("remove") },
    ...availableChanges(session, row).map(({ name, change }) => ({
      name,
      run: () => void changeSession(id, change),
    })),
  ];
}

export type Change = { model?: string; mode?: Mode };

/** Every mode and model that the agent supports and the session does not already use. */
export function availableChanges(session: SessionView, row: AgentRow | undefined): { name: string; change: Change }[] {
  const modes = (row?.modes ?? ladder).filter((mode) => mode !== session.mode);
  const models = (row?.models.items ?? []).filter((model) => model.id !== session.model);
  return [
    ...modes.map((mode) => ({ name: `Change mode to ${mode}`, change: { mode } })),
    ...models.map(({ id, name }) => ({ name: `Change model to ${name}`, change: { model: id } })),
  ];
}

async function changeSession(id: string, change: Change): Promise<void> {
  try {
    const { session, applied } = await client.sessions.patch(id, change);
    storeSession(session);
    const isDeferred = applied.some(({ when }) => when !== "now");
    toast({ tone: "info", text: isDeferred ? "Changed. Takes effect with the next turn." : "Changed." });
  } catch (error) {
    toastError(error);
  }
}
