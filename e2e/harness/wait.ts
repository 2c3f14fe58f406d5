import { setTimeout as sleep } from "node:timers/promises";

/** Against what hangs, not against what is slow. */
export const PATIENCE_MS = 45_000;

/**
 * Looks again and again until there is a value that is neither undefined nor false. Throws when there is none in time,
 * and says then `what` was waited for.
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
      throw new Error(`waited ${patienceMs / 1000} s in vain for ${typeof what === "string" ? what : what()}`);
    await sleep(25);
  }
}
