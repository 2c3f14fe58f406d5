import type { IncomingMessage } from "node:http";

/** The origin under which the browser sees the preview, or the reason for refusing the request. */
export type Admission = { origin: string } | { refused: string };

/**
 * The first check of every request on a preview's port. Refuses foreign host names (DNS rebinding) and cross-site
 * requests other than navigation, because the target trusts every request of its preview as same-origin.
 */
export function admit(request: IncomingMessage, port: number): Admission {
  const hosts = request.headersDistinct.host ?? [];
  const host = hosts.length === 1 ? (hosts[0] ?? "").toLowerCase() : "";
  if (host !== `localhost:${port}` && host !== `127.0.0.1:${port}`)
    return { refused: "This preview does not answer to the name in the Host header." };
  if (!request.url?.startsWith("/")) return { refused: "The request's target must be a path." };
  const origin = `http://${host}`;
  if (isOwn(request, origin) || isLink(request)) return { origin };
  return { refused: "The request comes from a page of another site." };
}

/** The previewed page sent it, the user typed the address, or the client is not a browser. */
function isOwn({ headers }: IncomingMessage, origin: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && headers.upgrade === undefined) return site === "same-origin" || site === "none";
  return headers.origin === undefined || headers.origin === origin;
}

/** The document is loaded in a frame, or the user follows a link. */
function isLink({ method, headers }: IncomingMessage): boolean {
  const reads = method === "GET" || method === "HEAD";
  return reads && headers["sec-fetch-mode"] === "navigate" && headers.upgrade === undefined;
}
