import type { QueuedMessage, QueueOnStop } from "@gantry/protocol";
import { client } from "../../store/connection/client.ts";
import { sendMessage } from "../../store/outgoing/outbox.ts";
import { toast, toastError } from "../../store/toasts.ts";

const UNDO_MS = 8000;

/**
 * Stops the turn of a session and shows a toast. The toast offers to restore a cleared queue. A paused queue shows its own
 * controls. Never throws.
 */
export async function stopTurn(session: string, before: readonly QueuedMessage[], queue: QueueOnStop): Promise<void> {
  try {
    const { interrupted, paused, cancelled } = await client.sessions.interrupt(session, queue);
    const removed = before.filter((entry) => cancelled.includes(entry.message));
    if (removed.length > 0) return toastCleared(session, removed);
    if (!interrupted && !paused) return void toast({ tone: "info", text: "The turn had already ended." });
    toast({ tone: "info", text: paused ? "Stopped. The queue is paused." : "Stopped." }, UNDO_MS / 2);
  } catch (error) {
    toastError(error);
  }
}

function toastCleared(session: string, removed: readonly QueuedMessage[]): void {
  const run = () => void sendAgain(session, removed);
  toast({ tone: "info", text: "Stopped. Queue cleared.", action: { label: "Undo", run } }, UNDO_MS);
}

/** Sends the messages again in order, each under a new id: the cancelled ones stay cancelled in the log. */
async function sendAgain(session: string, removed: readonly QueuedMessage[]): Promise<void> {
  try {
    for (const { text, attachments } of removed) await sendMessage(session, { text, attachments, delivery: "queue" });
  } catch (error) {
    toastError(error);
  }
}
