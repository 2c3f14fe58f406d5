import type { QueuedMessage } from "@gantry/protocol";
import { client } from "../../store/connection/client.ts";
import { sendMessage } from "../../store/outgoing/outbox.ts";
import { toast, toastError } from "../../store/toasts.ts";

const UNDO_MS = 8000;

/**
 * Stops the turn of a session and shows a toast. The toast offers to restore a cleared queue, or to clear one that
 * continues. Never throws.
 */
export async function stopTurn(
  session: string,
  before: readonly QueuedMessage[],
  queue: "keep" | "clear",
): Promise<void> {
  try {
    const { interrupted, cancelled, ...stopped } = await client.sessions.interrupt(session, queue);
    const { kept: queued } = stopped; // prose-ignore: field of the API
    const removed = before.filter((entry) => cancelled.includes(entry.message));
    if (removed.length > 0) return toastCleared(session, removed);
    if (!interrupted) return void toast({ tone: "info", text: "The turn had already ended." });
    if (queued.length > 0) return toastStopped(session, before);
    toast({ tone: "info", text: "Stopped." }, UNDO_MS / 2);
  } catch (error) {
    toastError(error);
  }
}

/** Clearing the queue afterwards also stops a queued message that has started. */
function toastStopped(session: string, before: readonly QueuedMessage[]): void {
  const run = () => void stopTurn(session, before, "clear");
  toast({ tone: "info", text: "Stopped. The queue continues.", action: { label: "Clear queue", run } }, UNDO_MS);
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
