import { createHash, randomBytes } from "node:crypto";

const LIFETIME_MS = 10 * 60_000;
const MOST = 100;

/** One-time tickets that open the page. They may be seen in a terminal or a browser's history: spent, they are worth nothing. */
export class Tickets {
  readonly #now: () => number;
  /** By hash, with the time they expire, oldest first. */
  readonly #valid = new Map<string, number>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  issue(): { ticket: string; expiresAt: string } {
    const ticket = randomBytes(24).toString("base64url");
    const expires = this.#now() + LIFETIME_MS;
    this.#forgetOld();
    this.#valid.set(hash(ticket), expires);
    return { ticket, expiresAt: new Date(expires).toISOString() };
  }

  /** True once for each ticket that was issued, within its time. */
  redeem(ticket: string): boolean {
    const key = hash(ticket);
    const expires = this.#valid.get(key);
    this.#valid.delete(key);
    return expires !== undefined && expires > this.#now();
  }

  revokeAll(): void {
    this.#valid.clear();
  }

  #forgetOld(): void {
    for (const [key, expires] of this.#valid)
      if (expires <= this.#now() || this.#valid.size >= MOST) this.#valid.delete(key);
  }
}

function hash(ticket: string): string {
  return createHash("sha256").update(ticket).digest("base64url");
}
