import type { SessionView } from "@gantry/protocol";

/** Nothing is under way in the session and nothing waits its turn. */
export function isIdle({ turn, queue, sent }: SessionView): boolean {
  return turn === undefined && queue.length === 0 && sent.length === 0;
}
