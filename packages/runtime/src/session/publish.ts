import type { Envelope, LiveFrame } from "@gantry/protocol";
import type { StoredEvent } from "../log/port.ts";
import type { Publisher } from "./api.ts";

/** Publishes a committed step in order: runs of durable events with the live frames between them. */
export function publishStep(
  publisher: Publisher,
  session: string,
  out: readonly (Envelope | LiveFrame)[],
  stored: readonly StoredEvent[],
): void {
  let published = 0;
  let seen = 0;
  for (const entry of out) {
    if ("seq" in entry) {
      seen++;
      continue;
    }
    if (seen > published) publisher.committed(session, stored.slice(published, seen));
    published = seen;
    publisher.live(entry);
  }
  if (seen > published) publisher.committed(session, stored.slice(published, seen));
}

/**
 * Fans out to several publishers, in this order. The list may grow later. They are called synchronously in the middle of a session's step: they
 * must not throw, and defer their own work.
 */
export function combinePublishers(all: readonly Partial<Publisher>[]): Publisher {
  return {
    committed: (session, rows) => {
      for (const one of all) one.committed?.(session, rows);
    },
    live: (frame) => {
      for (const one of all) one.live?.(frame);
    },
    removed: (session) => {
      for (const one of all) one.removed?.(session);
    },
  };
}
