import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Tickets } from "../server/access/tickets.ts";
import { RESERVED } from "./response/inspector-files.ts";

/** The path that exchanges a ticket for a pass. */
export const ENTER_PATH = `${RESERVED}enter`;
const TICKET_MS = 60_000;
const PASS_SECONDS = 12 * 3600;
const MOST_PASSES = 100;

/**
 * Recognises the browsers that opened one preview with a ticket. A ticket works once, within a minute, for this preview
 * alone. The browser gets a pass for it: a cookie that means nothing to the daemon or to any other preview, and that is
 * never forwarded to the dev server. Previews end with the daemon, and so do their passes.
 */
export class Passes {
  readonly #tickets = new Tickets({ lifetimeMs: TICKET_MS });
  /** Hashes of valid passes, oldest first. */
  readonly #valid = new Set<string>();

  /** A path that opens the preview once and then shows `to`. */
  issue(to: string): { path: string; expiresAt: string } {
    const { ticket, expiresAt } = this.#tickets.issue();
    return { path: `${ENTER_PATH}?${new URLSearchParams({ ticket, to })}`, expiresAt };
  }

  /** The response headers of a valid ticket: the pass, and the address without the ticket. `undefined` for any other. */
  enter(url: string, port: number): Record<string, string | string[]> | undefined {
    const { searchParams } = new URL(url, "http://preview");
    if (!this.#tickets.redeem(searchParams.get("ticket") ?? "")) return undefined;
    const pass = randomBytes(32).toString("base64url");
    const [oldest] = this.#valid;
    if (oldest !== undefined && this.#valid.size >= MOST_PASSES) this.#valid.delete(oldest);
    this.#valid.add(hash(pass));
    const common = `Path=/; HttpOnly; Max-Age=${PASS_SECONDS}`;
    return {
      location: safePath(searchParams.get("to") ?? "/"),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      // In the page's frame, browsers accept only the first one. In a tab, some accept only the second.
      "set-cookie": [
        `${cookieName(port, "frame")}=${pass}; ${common}; SameSite=None; Secure; Partitioned`,
        `${cookieName(port, "tab")}=${pass}; ${common}; SameSite=Lax`,
      ],
    };
  }

  revokeAll(): void {
    this.#tickets.revokeAll();
    this.#valid.clear();
  }

  /** Whether the request comes from a browser that entered with a ticket. */
  recognises({ headers }: IncomingMessage, port: number): boolean {
    const names = [cookieName(port, "frame"), cookieName(port, "tab")];
    return (headers.cookie ?? "").split(/;\s*/).some((pair) => {
      const [name = "", value = ""] = pair.split("=", 2);
      return names.includes(name.trim()) && this.#valid.has(hash(value));
    });
  }
}

/** Cookies ignore ports, so the port is a part of the name: two previews do not replace each other's pass. */
function cookieName(port: number, place: "frame" | "tab"): string {
  return `gantry_preview_${place}_${port}`;
}

/** Only a path of the preview itself: the ticket must not lead to another site. */
function safePath(to: string): string {
  const url = URL.parse(to, "http://preview");
  return url?.origin === "http://preview" && to.startsWith("/") ? url.pathname + url.search + url.hash : "/";
}

function hash(pass: string): string {
  return createHash("sha256").update(pass).digest("base64url");
}
