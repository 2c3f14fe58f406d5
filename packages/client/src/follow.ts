import { calls, type Envelope, GantryError, type Gap, type LiveFrame, type Snapshot } from "@gantry/protocol";
import { call, pathOf } from "./call.ts";
import { type Message, openStream, type StreamOptions } from "./stream.ts";
import type { Transport } from "./transport.ts";

/** A frame of a stream. Events arrive in order and once; live frames may be missing. */
export type Frame = { event: Envelope } | { live: LiveFrame } | { snapshot: Snapshot } | { gap: Gap };
/** Events of all sessions carry the cursor after them. */
export type AllFrame =
  | { event: Envelope; cursor: string }
  | { live: LiveFrame }
  | { snapshot: Snapshot }
  | { gap: Gap };

/** Passed to `onReconnect` before each wait: the number of the next attempt, the delay, and the error if there was one. */
export type Reconnect = { attempt: number; delayMs: number; error?: GantryError };

type Common = StreamOptions & {
  onReconnect?: (reconnect: Reconnect) => void;
  /** The delay before the second attempt; it doubles up to 5 s. */
  backoffMs?: number;
};
export type FollowOptions = Common & {
  /** Follow from the event after this one; default: from the first. */ after?: number;
};
export type FollowAllOptions = Common & {
  /** A cursor; default: from the first event. */ after?: string;
  sessions?: string[];
};

const LONGEST_WAIT = 5000;

/**
 * Follows the events of one session until the caller ends the loop. Reconnects automatically and resumes after the last
 * event it delivered. Throws only when a retry cannot help, for example for a missing session or a wrong token.
 */
export async function* follow(transport: Transport, session: string, options: FollowOptions): AsyncGenerator<Frame> {
  const place = { last: options.after ?? 0 };
  while (!options.signal?.aborted) yield* followOnce(transport, session, place, options);
}

/** Ends when the log is shorter than `place`; `place` is then set back to the end of the log. */
async function* followOnce(
  transport: Transport,
  session: string,
  place: { last: number },
  options: FollowOptions,
): AsyncGenerator<Frame> {
  const path = () => pathOf(calls.sessionEvents.path, { params: { id: session }, query: { after: place.last } });
  for await (const message of readWithReconnect(transport, path, options)) {
    const frame = frameOf(message);
    if ("event" in frame) {
      const { seq } = frame.event;
      if (seq <= place.last) continue;
      if (seq > place.last + 1 && !(yield* fill(transport, session, place, seq, options.signal))) return;
      place.last = seq;
    }
    if ("gap" in frame) place.last = Math.max(place.last, frame.gap.to);
    yield frame;
    if ("snapshot" in frame && frame.snapshot.lastSeq < place.last) {
      yield gapBetween(session, frame.snapshot.lastSeq, place.last + 1);
      place.last = frame.snapshot.lastSeq;
      return;
    }
  }
}

/** Follows the events of all sessions, or of `options.sessions`. */
export async function* followAll(transport: Transport, options: FollowAllOptions): AsyncGenerator<AllFrame> {
  let cursor = options.after ?? "0";
  const sessions = options.sessions?.join(",");
  const path = () => pathOf(calls.allEvents.path, { query: { after: cursor, sessions } });
  for await (const message of readWithReconnect(transport, path, options)) {
    const frame = frameOf(message);
    if (!("event" in frame)) {
      yield frame;
      continue;
    }
    if (message.id === undefined || Number(message.id) <= Number(cursor)) continue;
    cursor = message.id;
    yield { ...frame, cursor };
  }
}

async function* readWithReconnect(transport: Transport, path: () => string, options: Common): AsyncGenerator<Message> {
  const { signal, onReconnect, backoffMs = 100 } = options;
  for (let attempt = 1; !signal?.aborted; attempt++) {
    let error: GantryError | undefined;
    try {
      for await (const message of openStream(transport, path(), options)) {
        attempt = 1;
        yield message;
      }
    } catch (thrown) {
      if (signal?.aborted) return;
      if (!(thrown instanceof GantryError) || !isRetryable(thrown)) throw thrown;
      error = thrown;
    }
    if (signal?.aborted) return;
    const delayMs = Math.min(backoffMs * 2 ** (attempt - 1), LONGEST_WAIT);
    onReconnect?.({ attempt, delayMs, error });
    await pause(delayMs, signal);
  }
}

function isRetryable(error: GantryError): boolean {
  return error.status >= 500 || error.code === "queue_full";
}

/**
 * Yields the events between `place` and `before` that the stream left out. Events that are no longer stored become a
 * gap. Returns false when the daemon disappears meanwhile; the next connection then fills the rest.
 */
async function* fill(
  transport: Transport,
  session: string,
  place: { last: number },
  before: number,
  signal?: AbortSignal,
): AsyncGenerator<Frame, boolean> {
  while (place.last < before - 1) {
    const query = { after: place.last, limit: Math.min(1000, before - 1 - place.last) };
    const events = await fetchEvents(transport, session, query, signal);
    if (!events) return false;
    const between = events.filter((event) => event.seq > place.last && event.seq < before);
    for (const event of between) {
      if (event.seq > place.last + 1) yield gapBetween(session, place.last, event.seq);
      place.last = event.seq;
      yield { event };
    }
    if (between.length > 0) continue;
    yield gapBetween(session, place.last, before);
    place.last = before - 1;
  }
  return true;
}

async function fetchEvents(
  transport: Transport,
  session: string,
  query: { after: number; limit: number },
  signal?: AbortSignal,
): Promise<Envelope[] | undefined> {
  try {
    const found = await call(transport, "sessionEvents", { params: { id: session }, query, signal });
    return found.events as unknown as Envelope[];
  } catch (error) {
    if (signal?.aborted || (error instanceof GantryError && isRetryable(error))) return undefined;
    throw error;
  }
}

function gapBetween(session: string, after: number, before: number): { gap: Gap } {
  return { gap: { type: "gap", session, from: after + 1, to: before - 1 } };
}

function frameOf({ event, data }: Message): Frame {
  if (event === "event") return { event: data as Envelope };
  if (event === "snapshot") return { snapshot: data as Snapshot };
  if (event === "gap") return { gap: data as Gap };
  return { live: data as LiveFrame };
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms);
    signal?.addEventListener("abort", finish, { once: true });
    function finish() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    }
  });
}
