import type { IncomingMessage } from "node:http";
import { GantryError } from "@gantry/protocol";
import { isApiPath } from "../route-finder.ts";

/** Additional host names and origins from the configuration: `box.example` for any port, or `box.example:8443`. */
export type GuardOptions = { hosts: readonly string[]; origins: readonly string[] };

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([1-9]\d{0,4}))?$/;
const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
/** Only the canonical spelling: no octal or hexadecimal numbers, no short forms. */
const LOOPBACK = new RegExp(`^(localhost|127(\\.${OCTET}){3}|\\[::1\\])$`);

/**
 * The first check of every request. A page that the user visits can make the browser call this machine, with a
 * cross-site script or by DNS rebinding. It cannot choose the Host and Origin headers, so these are checked.
 */
export class Guard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor(options: GuardOptions) {
    this.#hosts = new Set(options.hosts.map((host) => host.toLowerCase()));
    this.#origins = new Set(options.origins.map((origin) => originOf(origin) ?? origin));
  }

  /**
   * Reads nothing but the request line and headers. Throws `foreign_host` or `foreign_origin`; otherwise gives the
   * origin of another site that the configuration lets in, if the request comes from one.
   */
  check(request: IncomingMessage): string | undefined {
    const host = this.#host(request);
    const origins = request.headersDistinct.origin;
    const origin = origins?.length === 1 ? (origins[0] ?? "") : "";
    if (this.#origins.has(origin)) return origin;
    if (origins && !this.#isSameOrigin(origin, host)) throw foreignOrigin();
    if (!isFromOwnSite(request) && !isPageVisit(request)) throw foreignOrigin();
    return undefined;
  }

  #host(request: IncomingMessage): string {
    const hosts = request.headersDistinct.host ?? [];
    const host = hosts.length === 1 ? (hosts[0] ?? "").toLowerCase() : "";
    const [, name, port] = HOST.exec(host) ?? [];
    const known = name !== undefined && (LOOPBACK.test(name) || this.#hosts.has(name) || this.#hosts.has(host));
    if (known && Number(port ?? 80) <= 65_535) return host;
    throw new GantryError("foreign_host", "This daemon does not answer to the name in the Host header.", {
      remedy: "Use 127.0.0.1 or localhost, or add the name to `server.hosts` in config.yml.",
    });
  }

  #isSameOrigin(origin: string, host: string): boolean {
    if (origin === originOf(`http://${host}`)) return true;
    // A tunnel that ends TLS in front of the daemon; loopback itself never speaks it.
    return !LOOPBACK.test(host.replace(/:\d+$/, "")) && origin === originOf(`https://${host}`);
  }
}

/**
 * Browsers send Sec-Fetch-Site and scripts cannot change it. Another port of the same host is `same-site`, which is as
 * foreign here as `cross-site`. Programs other than browsers do not send it.
 */
function isFromOwnSite({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" || site === "none";
}

/** A link to the page that was followed on another site: it reads a document that is the same for everyone. */
function isPageVisit({ method, headers, url = "" }: IncomingMessage): boolean {
  const reads = method === "GET" || method === "HEAD";
  return reads && headers["sec-fetch-mode"] === "navigate" && headers.authorization === undefined && !isApiPath(url);
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url && url.origin !== "null" ? url.origin : undefined;
}

function foreignOrigin(): GantryError {
  return new GantryError("foreign_origin", "The request comes from a page of another site.", {
    remedy: "Open the daemon's own page, or add the site to `server.origins` in config.yml.",
  });
}
