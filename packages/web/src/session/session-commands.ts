import { type AgentRow, ladder, type Mode, type SessionView } from "@gantry/protocol";
import type { Command } from "../shell/feature.ts";
import { client } from "../store/connection/client.ts";
import { archiveSession } from "../store/sessions/archive.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { toast, toastError } from "../store/toasts.ts";

/** What the command palette can do with the open session. */
export function sessionCommands(session: SessionView, row: AgentRow | undefined): Command[] {
  const stop = () => void client.sessions.interrupt(session.id).catch(toastError);
  return [
    ...(session.turn ? [{ name: "Stop the turn", run: stop }] : []),
    {
      name: session.archived ? "Unarchive this session" : "Archive this session",
      run: () => void archiveSession(session, !session.archived),
    },
    ...availableChanges(session, row).map(({ name, change }) => ({
      name,
      run: () => void changeSession(session.id, change),
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
