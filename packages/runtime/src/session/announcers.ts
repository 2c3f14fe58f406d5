import type { Announcer } from "./port.ts";

/**
 * Tells several of what was committed, in this order. They are called in the middle of a session's work: they only take
 * note, do not throw, and act later.
 */
export function announceTo(...all: readonly Partial<Announcer>[]): Announcer {
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
