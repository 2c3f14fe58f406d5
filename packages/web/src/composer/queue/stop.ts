import type { QueuedMessage } from "@gantry/protocol";
import { client } from "../../store/client.ts";
import { sendMessage } from "../../store/outbox.ts";
import { toast, toastError } from "../../store/toasts.ts";

const UNDO_MS = 8000;

/**
 * Stops the turn of a session. What it clears of the queue can be had back for a while, and what it keeps can still be
 * cleared. Never throws: it tells.
 */
export async function stopTurn(
  session: string,
  before: readonly QueuedMessage[],
  queue: "keep" | "clear",
): Promise<void> {
  try {
    const { interrupted, cancelled, kept } = await client.sessions.interrupt(session, queue);
    const lost = before.filter((entry) => cancelled.includes(entry.message));
    if (lost.length > 0) return tellCleared(session, lost);
    if (!interrupted) return void toast({ tone: "info", text: "There was nothing to stop any more." });
    if (kept.length > 0) return tellKept(session, before);
    toast({ tone: "info", text: "Stopped." }, UNDO_MS / 2);
  } catch (error) {
    toastError(error);
  }
}

/** Clearing afterwards stops what has begun of the queue as well. */
function tellKept(session: string, before: readonly QueuedMessage[]): void {
  const run = () => void stopTurn(session, before, "clear");
  toast({ tone: "info", text: "Stopped. The queue goes on.", action: { label: "Clear the queue", run } }, UNDO_MS);
}

function tellCleared(session: string, lost: readonly QueuedMessage[]): void {
  const run = () => void sendAgain(session, lost);
  toast({ tone: "info", text: "Stopped. Queue cleared.", action: { label: "Undo", run } }, UNDO_MS);
}

/** In order, each under an id of its own: the cancelled ones stay cancelled in the log. */
async function sendAgain(session: string, lost: readonly QueuedMessage[]): Promise<void> {
  try {
    for (const { text, attachments } of lost) await sendMessage(session, { text, attachments, delivery: "queue" });
  } catch (error) {
    toastError(error);
  }
}
