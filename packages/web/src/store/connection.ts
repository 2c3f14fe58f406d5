import { Cell } from "./cell.ts";

/**
 * How the page stands with the daemon. `offline` names when the next attempt is made; `locked` is a page without a valid
 * credential, which only a new ticket opens.
 */
export type Connection =
  | { state: "connecting" }
  | { state: "online" }
  | { state: "offline"; since: number; nextAt: number }
  | { state: "locked" };

export const connection = new Cell<Connection>({ state: "connecting" });

export function wentOffline(delayMs: number): void {
  const now = Date.now();
  const before = connection.get();
  const since = before.state === "offline" ? before.since : now;
  connection.set({ state: "offline", since, nextAt: now + delayMs });
}
