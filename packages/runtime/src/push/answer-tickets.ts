import { createHash, randomBytes } from "node:crypto";
import type { Records, Store } from "../log/port.ts";

/** A ticket at rest: its hash, never the ticket. */
type StoredTicket = { id: string; input: string; subscription: string; expiresAt: string };

const LIFETIME_MS = 24 * 3600 * 1000;
const MOST = 500;

/**
 * One-time tickets that answer one request from a notification. They survive a restart of the daemon, because a
 * notification does too. Any attempt to use a ticket spends it.
 */
export class AnswerTickets {
  readonly #records: Records<StoredTicket>;
  readonly #now: () => number;

  constructor(store: Store, now: () => number = Date.now) {
    this.#records = store.records("push-ticket");
    this.#now = now;
  }

  issue(input: string, subscription: string): string {
    this.#deleteOld();
    const ticket = randomBytes(24).toString("base64url");
    const id = hashTicket(ticket);
    this.#records.put(id, { id, input, subscription, expiresAt: new Date(this.#now() + LIFETIME_MS).toISOString() });
    return ticket;
  }

  /** The request and the subscription of a valid ticket, once. */
  redeem(ticket: string): { input: string; subscription: string } | undefined {
    const id = hashTicket(ticket);
    const found = this.#records.get(id);
    if (!found) return undefined;
    this.#records.delete(id);
    return Date.parse(found.expiresAt) > this.#now() ? found : undefined;
  }

  revoke(subscription?: string): void {
    for (const stored of this.#records.list())
      if (subscription === undefined || stored.subscription === subscription) this.#records.delete(stored.id);
  }

  #deleteOld(): void {
    const all = this.#records.list().toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt));
    const surplus = all.length - MOST + 1;
    all.forEach(({ id, expiresAt }, index) => {
      if (index < surplus || Date.parse(expiresAt) <= this.#now()) this.#records.delete(id);
    });
  }
}

function hashTicket(ticket: string): string {
  return createHash("sha256").update(ticket).digest("base64url");
}
