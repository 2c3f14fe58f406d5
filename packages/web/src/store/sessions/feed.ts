import { type Envelope, GantryError, type LiveFrame } from "@gantry/protocol";
import { client } from "../connection/client.ts";
import { connection, setOffline } from "../connection/connection.ts";
import { applyLiveFrame, applySnapshot, closeItem, forgetLive } from "./live.ts";
import { applyEvent, forgetSession, loadSessions } from "./sessions.ts";

type EventListener = (event: Envelope) => void;
const listeners = new Set<EventListener>();

/** Subscribes to every durable event of every session since the page was loaded, in order and exactly once. */
export function onEvent(listener: EventListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let start: string | undefined;
let started = false;

/**
 * Makes the feed start no later than at `cursor`, so that it repeats every event since a page of the log that was loaded
 * before. Without effect once the feed has started.
 */
export function startFeedAt(cursor: string): void {
  if (!started && (start === undefined || Number(cursor) < Number(start))) start = cursor;
}

/**
 * The page's one event stream. Runs until the page closes and resumes after the last received event whenever the daemon
 * comes back.
 */
export async function runFeed(signal: AbortSignal): Promise<void> {
  const after = await loadInitialState(signal);
  if (after === undefined) return;
  const onOpen = () => {
    // A session that was deleted while the page was offline leaves no event.
    if (connection.get().state === "offline") void loadSessions().catch(() => undefined);
    connection.set({ state: "online" });
  };
  const onReconnect = ({ delayMs }: { delayMs: number }) => setOffline(delayMs);
  try {
    for await (const frame of client.followAll({ after, signal, onOpen, onReconnect })) {
      if ("event" in frame) publishEvent(frame.event);
      else if ("live" in frame) handleLiveFrame(frame.live);
      else if ("snapshot" in frame) applySnapshot(frame.snapshot);
      // A gap in the stream: reload the current state instead.
      else await loadSessions();
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof GantryError && error.status === 401) connection.set({ state: "locked" });
    else throw error;
  }
}

/** Gets the cursor before the lists, so that events in between are applied twice rather than lost. */
async function loadInitialState(signal: AbortSignal): Promise<string | undefined> {
  for (let delayMs = 200; !signal.aborted; delayMs = Math.min(delayMs * 2, 5000)) {
    try {
      started = true;
      start ??= await client.cursor();
      await loadSessions();
      return start;
    } catch (error) {
      if (error instanceof GantryError && error.status === 401) {
        connection.set({ state: "locked" });
        return undefined;
      }
      setOffline(delayMs);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return undefined;
}

function handleLiveFrame(frame: LiveFrame): void {
  if (frame.type !== "removed") return applyLiveFrame(frame);
  forgetLive(frame.session);
  forgetSession(frame.session);
}

function publishEvent(event: Envelope): void {
  applyEvent(event);
  if (event.type === "message.done" || event.type === "reasoning.done" || event.type === "tool.ended")
    closeItem(event.session, event.data.item);
  if (event.type === "message.retracted") for (const item of event.data.items) closeItem(event.session, item);
  if (event.type === "turn.ended" || event.type === "session.ended") forgetLive(event.session);
  for (const listener of listeners) listener(event);
}
