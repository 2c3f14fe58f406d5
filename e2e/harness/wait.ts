import { setTimeout as sleep } from "node:timers/promises";

/** Catches what hangs. It is long enough for a slow machine. */
export const PATIENCE_MS = 45_000;

/**
 * Polls `look` until it returns a value that is neither undefined nor false. Throws after `patienceMs`, with `what` in the
 * message.
 */
export async function eventually<T>(
  what: string | (() => string),
  look: () => T | undefined | Promise<T | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end)
      throw new Error(`waited ${patienceMs / 1000} s without success for ${typeof what === "string" ? what : what()}`);
    await sleep(25);
  }
}
