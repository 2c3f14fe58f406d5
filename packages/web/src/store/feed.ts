import { type Envelope, GantryError, type LiveFrame } from "@gantry/protocol";
import { client } from "./client.ts";
import { connection, wentOffline } from "./connection.ts";
import { closeItem, forgetLive, takeLive, takeSnapshot } from "./live.ts";
import { forgetSession, loadSessions, takeEvent } from "./sessions.ts";

type EventListener = (event: Envelope) => void;
const listeners = new Set<EventListener>();

/** Every durable event of every session, in order and once, from the moment the page was opened. */
export function onEvent(listener: EventListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The page's one connection: everything live comes through here, for as long as the page is open. It goes on after the
 * last event that came, however often the daemon goes away.
 */
export async function runFeed(signal: AbortSignal): Promise<void> {
  const after = await firstState(signal);
  if (after === undefined) return;
  const onOpen = () => {
    // What was removed while the page was away leaves no event behind.
    if (connection.get().state === "offline") void loadSessions().catch(() => undefined);
    connection.set({ state: "online" });
  };
  const onReconnect = ({ delayMs }: { delayMs: number }) => wentOffline(delayMs);
  try {
    for await (const frame of client.followAll({ after, signal, onOpen, onReconnect })) {
      if ("event" in frame) take(frame.event);
      else if ("live" in frame) takeFrame(frame.live);
      else if ("snapshot" in frame) takeSnapshot(frame.snapshot);
      // A range of all sessions that cannot be had: what they are now can.
      else await loadSessions();
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof GantryError && error.status === 401) connection.set({ state: "locked" });
    else throw error;
  }
}

/** The cursor first, then the lists: what happens in between is told twice, never left out. */
async function firstState(signal: AbortSignal): Promise<string | undefined> {
  for (let delayMs = 200; !signal.aborted; delayMs = Math.min(delayMs * 2, 5000)) {
    try {
      const cursor = await client.cursor();
      await loadSessions();
      return cursor;
    } catch (error) {
      if (error instanceof GantryError && error.status === 401) {
        connection.set({ state: "locked" });
        return undefined;
      }
      wentOffline(delayMs);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return undefined;
}

function takeFrame(frame: LiveFrame): void {
  if (frame.type !== "removed") return takeLive(frame);
  forgetLive(frame.session);
  forgetSession(frame.session);
}

function take(event: Envelope): void {
  takeEvent(event);
  if (event.type === "message.done" || event.type === "reasoning.done" || event.type === "tool.ended")
    closeItem(event.session, event.data.item);
  if (event.type === "message.retracted") for (const item of event.data.items) closeItem(event.session, item);
  if (event.type === "turn.ended" || event.type === "session.ended") forgetLive(event.session);
  for (const listener of listeners) listener(event);
}
