import { setTimeout as delay } from "node:timers/promises";
import { GantryError } from "@gantry/protocol";

/** Called while the daemon does not answer. It may start a daemon; it rejects if that is impossible. */
export type Recover = () => Promise<void>;

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

/**
 * Repeats an idempotent call until the daemon answers. A daemon that was killed is waited for, or started again. Rejects with
 * the daemon's own errors, and when `signal` is aborted.
 */
export async function retry<T>(call: () => Promise<T>, recover: Recover | undefined, signal: AbortSignal): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error;
    }
    if (recover) await recover();
    await delay(wait, undefined, { signal });
  }
}

export function isOutage(error: unknown): boolean {
  return error instanceof GantryError && error.code === "unavailable";
}
