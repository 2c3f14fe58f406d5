import { Cell } from "../cell.ts";

/**
 * The state of the page's connection to the daemon. `offline` has the time of the next attempt. `locked` means that the
 * page has no valid credential and needs a new ticket.
 */
export type Connection =
  | { state: "connecting" }
  | { state: "online" }
  | { state: "offline"; since: number; nextAt: number }
  | { state: "locked" };

export const connection = new Cell<Connection>({ state: "connecting" });

export function setOffline(delayMs: number): void {
  const now = Date.now();
  const before = connection.get();
  const since = before.state === "offline" ? before.since : now;
  connection.set({ state: "offline", since, nextAt: now + delayMs });
}
