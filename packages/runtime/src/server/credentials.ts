import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const COOKIE = "gantry_session";
const COOKIE_SECONDS = 30 * 24 * 3600;

/** Who calls, and how that was proved: with the daemon's token, a browser's cookie, or the token of a session's own. */
export type Caller = { kind: "token" } | { kind: "cookie" } | { kind: "session"; session: string };

/**
 * The token and the cookies that tickets buy. A cookie is random and signed with the token: it says nothing about the
 * token, stays good over a restart, and a new token makes all of them void.
 */
export class Credentials {
  readonly #token: string;
  readonly #sessionOf: (token: string) => string | undefined;
  readonly #now: () => number;

  /** `sessionOf` knows the tokens of sessions. */
  constructor(token: string, sessionOf: (token: string) => string | undefined, now: () => number = Date.now) {
    if (token.length < 16) throw new Error("the token is too short to keep anyone out");
    this.#token = token;
    this.#sessionOf = sessionOf;
    this.#now = now;
  }

  /** `undefined` when the request proves nothing. A wrong token is not made good by a cookie. */
  identify(request: IncomingMessage): Caller | undefined {
    const authorization = request.headers.authorization;
    if (authorization !== undefined) {
      const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
      if (given === undefined) return undefined;
      if (equal(given, this.#token)) return { kind: "token" };
      const session = this.#sessionOf(given);
      return session === undefined ? undefined : { kind: "session", session };
    }
    const cookies = request.headers.cookie?.split(";").map((cookie) => cookie.trim()) ?? [];
    const ours = cookies.filter((cookie) => cookie.startsWith(`${COOKIE}=`));
    return ours.some((cookie) => this.#good(cookie.slice(COOKIE.length + 1))) ? { kind: "cookie" } : undefined;
  }

  /** A fresh `Set-Cookie` header. */
  issueCookie(): string {
    const expires = Math.floor(this.#now() / 1000) + COOKIE_SECONDS;
    const claim = `${expires}.${randomBytes(32).toString("base64url")}`;
    return `${COOKIE}=${claim}.${this.#sign(claim)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${COOKIE_SECONDS}`;
  }

  #good(value: string): boolean {
    const [expires, nonce, signature, ...rest] = value.split(".");
    if (!expires || !nonce || !signature || rest.length > 0) return false;
    return equal(signature, this.#sign(`${expires}.${nonce}`)) && Number(expires) * 1000 > this.#now();
  }

  #sign(claim: string): string {
    return createHmac("sha256", this.#token).update(`${COOKIE} ${claim}`).digest("base64url");
  }
}

/** In a time that depends on neither. */
function equal(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
