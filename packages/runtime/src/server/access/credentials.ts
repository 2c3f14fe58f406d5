import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Records } from "../../log/port.ts";

/** Authorised the page in earlier versions. No longer read; the server deletes it in browsers that still send it. */
export const OLD_COOKIE = "gantry_session";
export const CLEAR_OLD_COOKIE = `${OLD_COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`;

const PAGE_CREDENTIAL = /^gpc_[A-Za-z0-9_-]{43}$/;
const PAGE_CREDENTIAL_MS = 30 * 24 * 3600 * 1000;
const MAX_PAGE_CREDENTIALS = 200;

/** Which credential the request carries: the owner token, a credential of the page, or the token of a session. */
export type Caller = { kind: "token" } | { kind: "page" } | { kind: "session"; session: string };

/** A page credential at rest: a keyed hash of it, never the credential itself. */
export type StoredPageCredential = { id: string; expiresAt: string };

export type CredentialsOptions = {
  /** The owner token. */
  token: string;
  /** Resolves the token of a session. */
  sessionOf: (token: string) => string | undefined;
  pages: Records<StoredPageCredential>;
  now?: () => number;
};

/**
 * Identifies callers by `Authorization: Bearer` and by nothing else. Browsers send cookies to every port of a host, so
 * a cookie would hand the daemon to any other program on loopback.
 *
 * Page credentials survive a restart, expire after 30 days and can be revoked. Their hashes are keyed with the owner
 * token: a new token invalidates all of them.
 */
export class Credentials {
  readonly #options: CredentialsOptions;
  readonly #now: () => number;

  constructor(options: CredentialsOptions) {
    if (options.token.length < 16) throw new Error("The owner token is too short to be safe.");
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** `undefined` when the request carries no valid credential. */
  identify(request: IncomingMessage): Caller | undefined {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (given === undefined) return undefined;
    if (isEqual(given, this.#options.token)) return { kind: "token" };
    if (PAGE_CREDENTIAL.test(given)) return this.#isValidPage(given) ? { kind: "page" } : undefined;
    const session = this.#options.sessionOf(given);
    return session === undefined ? undefined : { kind: "session", session };
  }

  /** A new credential for a page. The oldest are removed when there are too many. */
  issuePageCredential(): { credential: string; expiresAt: string } {
    const { pages } = this.#options;
    const credential = `gpc_${randomBytes(32).toString("base64url")}`;
    const expiresAt = new Date(this.#now() + PAGE_CREDENTIAL_MS).toISOString();
    const [live, expired] = [this.#listStored(true), this.#listStored(false)];
    const surplus = live
      .toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt))
      .slice(0, Math.max(0, live.length - MAX_PAGE_CREDENTIALS + 1));
    for (const { id } of [...expired, ...surplus]) pages.delete(id);
    const id = this.#hash(credential);
    pages.put(id, { id, expiresAt });
    return { credential, expiresAt };
  }

  /** Revokes every page credential and returns how many were still valid. */
  revokePageCredentials(): number {
    const valid = this.#listStored(true).length;
    for (const { id } of this.#options.pages.list()) this.#options.pages.delete(id);
    return valid;
  }

  #isValidPage(credential: string): boolean {
    const stored = this.#options.pages.get(this.#hash(credential));
    return stored !== undefined && this.#isLive(stored);
  }

  #listStored(live: boolean): StoredPageCredential[] {
    return this.#options.pages.list().filter((stored) => this.#isLive(stored) === live);
  }

  #isLive({ expiresAt }: StoredPageCredential): boolean {
    return Date.parse(expiresAt) > this.#now();
  }

  #hash(credential: string): string {
    return createHmac("sha256", this.#options.token).update(`page credential ${credential}`).digest("hex");
  }
}

/** Compares in constant time. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
