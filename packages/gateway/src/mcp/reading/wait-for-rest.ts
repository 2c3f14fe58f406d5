import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@gantry/client";
import { type Envelope, GantryError, limitTitle, lineOf, type Session } from "@gantry/protocol";

/**
 * completed, failed, interrupted: the outcome of the last turn, and nothing more is queued. waiting: an input is pending.
 * limited: a provider's limit or a budget holds it. running: the deadline has passed. idle: no turn has run yet.
 */
export const REST_STATES = [
  "completed",
  "failed",
  "interrupted",
  "waiting",
  "limited",
  "ended",
  "idle",
  "running",
] as const;

export type RestState = (typeof REST_STATES)[number];

export type WaitOptions = {
  seconds: number;
  signal: AbortSignal;
  report(message: string): void;
};

/** A client resets its own timeout with each notification, so one is sent also while nothing happens. */
const HEARTBEAT_MS = 10_000;
const LONGEST_PAUSE_MS = 2000;

/**
 * Waits until a session rests or the time has passed. Survives restarts of the daemon: the stream resumes after the last
 * event, and calls are repeated while the daemon does not answer. Throws `GantryError` when a retry cannot help, and the
 * reason of `signal` when the caller cancels.
 */
export async function waitForRest(client: Client, id: string, options: WaitOptions): Promise<[RestState, Session]> {
  const { signal, report } = options;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), options.seconds * 1000);
  const either = AbortSignal.any([signal, over.signal]);
  let activity = "waiting for the session";
  const heartbeat = setInterval(() => report(activity), HEARTBEAT_MS);
  try {
    let session = await getPatiently(client, id, either);
    let state = restOf(session);
    if (state !== undefined) return [state, session];
    report(session.last?.text ?? activity);
    for await (const frame of client.follow(id, { after: session.lastSeq, signal: either })) {
      if (!("event" in frame)) continue;
      const line = describeActivity(frame.event);
      if (line !== undefined && line !== activity) {
        activity = line;
        report(line);
      }
      if (!canRest(frame.event)) continue;
      session = await getPatiently(client, id, either);
      state = restOf(session);
      if (state !== undefined) return [state, session];
    }
    throw either.reason;
  } catch (error) {
    if (signal.aborted || !over.signal.aborted) throw error;
    const session = await client.sessions.get(id);
    return [restOf(session) ?? "running", session];
  } finally {
    clearTimeout(timer);
    clearInterval(heartbeat);
    over.abort();
  }
}

/** The state of a session that does nothing without input; `undefined` while it works or will continue. */
export function restOf(session: Session): RestState | undefined {
  if (session.state === "ended") return "ended";
  if (session.inputs.some(({ blocking }) => blocking)) return "waiting";
  if (session.state === "limited") return "limited";
  if (session.turn || session.state === "running") return undefined;
  if (session.queue.length > 0 && session.queueState !== "paused") return undefined;
  return (session.lastTurn?.outcome as RestState | undefined) ?? "idle";
}

/** Why a session is held, as a sentence. */
export function describeHold({ limit }: Session): string | undefined {
  return limit && (limit.text ?? limitTitle(limit));
}

/** The events after which a session may rest. */
const ENDS: ReadonlySet<string> = new Set([
  "turn.ended",
  "input.requested",
  "limit.reached",
  "session.ended",
  "session.updated",
  "message.delivery",
]);

function canRest({ type }: Envelope): boolean {
  return ENDS.has(type);
}

function describeActivity(event: Envelope): string | undefined {
  if (event.type === "input.requested") return `waits for an answer: ${event.data.title}`;
  if (event.type === "turn.started") return "a turn has started";
  return lineOf(event)?.text;
}

/** Repeats the call while the daemon does not answer, until `signal` aborts. */
async function getPatiently(client: Client, id: string, signal: AbortSignal): Promise<Session> {
  for (let pause = 100; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await client.call("getSession", { params: { id }, signal });
    } catch (error) {
      if (signal.aborted || !(error instanceof GantryError) || error.status < 500) throw error;
      await delay(pause, undefined, { signal });
    }
  }
}
