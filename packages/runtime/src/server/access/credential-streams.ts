import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import type { Credentials } from "./credentials.ts";

const SWEEP_MS = 10_000;

type Tracked = { kind: "page" | "session"; incoming: IncomingMessage };

/**
 * Open responses to pages and sessions, so that no stream outlives the credential that opened it. Revoking page credentials
 * ends the responses to pages at once. A sweep ends those whose credential has expired, or whose session token was revoked.
 */
export class CredentialStreams {
  readonly #credentials: Credentials;
  readonly #open = new Map<Pick<Writable, "destroy">, Tracked>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  track(kind: Tracked["kind"], incoming: IncomingMessage, outgoing: Pick<Writable, "destroy" | "once">): void {
    this.#open.set(outgoing, { kind, incoming });
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    outgoing.once("close", () => {
      this.#open.delete(outgoing);
      if (this.#open.size > 0) return;
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
    });
  }

  /** Ends requests that are being handled, too: a handler may open its stream later. `except`: the revoking request. */
  endPages(except: Pick<Writable, "destroy">): void {
    for (const [outgoing, { kind }] of this.#open) if (kind === "page" && outgoing !== except) outgoing.destroy();
  }

  /** A stream that a ticket opened has no credential: only a revocation ends it. */
  #sweep(): void {
    for (const [outgoing, { incoming }] of this.#open)
      if (incoming.headers.authorization !== undefined && !this.#credentials.identify(incoming)) outgoing.destroy();
  }
}
