import { createHash, randomBytes } from "node:crypto";

const LIFETIME_MS = 10 * 60_000;
const MOST = 100;

export type TicketsOptions = { now?: () => number; lifetimeMs?: number };

/** Counts elapsed time from the start of the process, so that a jump of the system's clock changes no lifetime. */
const monotonicNow = () => performance.timeOrigin + performance.now();

/**
 * One-time tickets in memory. They may be seen in a terminal or a browser's history: spent, they are worth nothing. A
 * ticket may be bound to a subject, such as one terminal, and is spent by any attempt to use it.
 */
export class Tickets {
  readonly #now: () => number;
  readonly #lifetimeMs: number;
  /** By hash, oldest first. */
  readonly #valid = new Map<string, { expires: number; subject: string }>();

  constructor({ now = monotonicNow, lifetimeMs = LIFETIME_MS }: TicketsOptions = {}) {
    this.#now = now;
    this.#lifetimeMs = lifetimeMs;
  }

  issue(subject = ""): { ticket: string; expiresAt: string } {
    const ticket = randomBytes(24).toString("base64url");
    const expires = this.#now() + this.#lifetimeMs;
    this.#forgetOld();
    this.#valid.set(hash(ticket), { expires, subject });
    return { ticket, expiresAt: new Date(expires).toISOString() };
  }

  /** True once for each ticket that was issued for the subject, within its time. */
  redeem(ticket: string, subject = ""): boolean {
    const key = hash(ticket);
    const found = this.#valid.get(key);
    this.#valid.delete(key);
    return found !== undefined && found.subject === subject && found.expires > this.#now();
  }

  revokeAll(): void {
    this.#valid.clear();
  }

  #forgetOld(): void {
    for (const [key, { expires }] of this.#valid)
      if (expires <= this.#now() || this.#valid.size >= MOST) this.#valid.delete(key);
  }
}

function hash(ticket: string): string {
  return createHash("sha256").update(ticket).digest("base64url");
}
