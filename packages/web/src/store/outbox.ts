import { GantryError, makeIds, type SendMessage } from "@gantry/protocol";
import { client } from "./client.ts";
import { connection } from "./connection.ts";
import { keptCell } from "./kept.ts";
import { toastError } from "./toasts.ts";

/** A message that was written and that the daemon has not acknowledged yet. Its id makes sending it twice harmless. */
export type Outgoing = { session: string; body: SendMessage & { id: string } };

/** Kept over a reload of the page; what holds files is kept in memory alone when it is too large for that. */
export const outbox = keptCell<readonly Outgoing[]>("outbox", []);

const newId = makeIds(Date.now, Math.random);
let sending: Promise<void> | undefined;

/**
 * Sends a message, now or as soon as the daemon answers. Resolves with what became of it, or with `kept` when it waits
 * for the daemon. Throws when the daemon refuses it: then it is not kept.
 */
export async function sendMessage(session: string, message: SendMessage): Promise<"kept" | "sent"> {
  const outgoing = { session, body: { ...message, id: message.id ?? newId("message") } };
  outbox.update((list) => [...list, outgoing]);
  if (connection.get().state === "offline") return "kept";
  try {
    await client.sessions.send(session, outgoing.body);
    drop(outgoing);
    return "sent";
  } catch (error) {
    if (isAway(error)) return "kept";
    drop(outgoing);
    throw error;
  }
}

/** Sends what waits, in order, whenever the daemon is there again. Called once. */
export function tendOutbox(): void {
  const tend = () => {
    if (connection.get().state === "online") void drain();
  };
  connection.subscribe(tend);
  tend();
}

function drain(): Promise<void> {
  sending ??= sendAll().finally(() => (sending = undefined));
  return sending;
}

async function sendAll(): Promise<void> {
  for (const outgoing of outbox.get()) {
    try {
      await client.sessions.send(outgoing.session, outgoing.body);
      drop(outgoing);
    } catch (error) {
      if (isAway(error)) return;
      drop(outgoing);
      toastError(error);
    }
  }
}

function drop(outgoing: Outgoing): void {
  outbox.update((list) => list.filter((other) => other.body.id !== outgoing.body.id));
}

function isAway(error: unknown): boolean {
  return error instanceof GantryError && error.code === "unavailable";
}
