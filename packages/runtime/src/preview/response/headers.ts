import type { IncomingHttpHeaders } from "node:http";
import { isTarget, type Target } from "../target.ts";
import { framePolicy, type Loosening, loosenPolicy } from "./policy.ts";

/** Headers for Node. A list becomes one header line per entry. */
export type HeaderLines = Record<string, number | string | string[] | undefined>;

/** Headers of one connection. The browser and the target have separate connections. */
const HOP_BY_HOP = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];
/** Headers that describe the bytes of a document. They are wrong once the inspector's tag is inserted. */
const BODY_HEADERS = ["content-length", "content-encoding", "etag", "last-modified", "accept-ranges", "content-md5"];

/**
 * A browser's headers, adapted for the target: Host and Origin are the target's, because dev servers check them, and
 * Gantry's cookie is removed. `own` is the origin under which the browser sees the preview. Pure.
 */
export function headersForTarget(headers: IncomingHttpHeaders, own: string, target: Target): HeaderLines {
  const { cookie, referer, ...sent } = removeHeaders(headers, HOP_BY_HOP);
  sent.host = target.url.host;
  if (headers.origin === own) sent.origin = target.url.origin;
  const from = referer === undefined ? null : URL.parse(String(referer));
  if (from?.origin === own) sent.referer = target.url.origin + from.pathname + from.search;
  const cookies = String(cookie ?? "")
    .split(/;\s*/)
    .filter((pair) => pair !== "" && !namesGantry(pair));
  if (cookies.length > 0) sent.cookie = cookies.join("; ");
  return sent;
}

/** A target's headers, adapted for the browser: the page may frame the document, and redirects stay in the preview. Pure. */
export function headersForBrowser(headers: IncomingHttpHeaders, target: Target, loosening: Loosening): HeaderLines {
  const given = removeHeaders(headers, [...HOP_BY_HOP, "x-frame-options", "strict-transport-security"]);
  if (headers.location) given.location = ownLocation(headers.location, target);
  const cookies = headers["set-cookie"]?.flatMap(ownCookie);
  if (cookies) given["set-cookie"] = cookies;
  const policies = [headers["content-security-policy"] ?? ""]
    .map((policy) => loosenPolicy(String(policy), loosening))
    .filter((policy) => policy !== "");
  given["content-security-policy"] = [...policies, framePolicy(loosening.ancestors)];
  const reported = headers["content-security-policy-report-only"];
  if (reported) given["content-security-policy-report-only"] = loosenPolicy(String(reported), loosening);
  return given;
}

/** Removes the headers that describe the original bytes of a document. Pure. */
export function headersOfChangedDocument(headers: HeaderLines): HeaderLines {
  return { ...removeHeaders(headers, BODY_HEADERS), "cache-control": "no-cache" };
}

/** Turns a URL of the target into a path, which works under both host names of the preview. */
function ownLocation(location: string, target: Target): string {
  const url = URL.parse(location, target.url);
  if (!url || !isTarget(target, url)) return location;
  return /^(\w+:)?\/\//.test(location) ? url.pathname + url.search + url.hash : location;
}

/**
 * In a cross-site frame a browser stores a cookie only with `SameSite=None`. `Partitioned` isolates it for Gantry's page,
 * and requests of other sites are refused earlier.
 */
export function ownCookie(cookie: string): string[] {
  if (namesGantry(cookie)) return [];
  const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
  const others = attributes.filter((attribute) => !/^(domain|samesite|secure|partitioned)\b/i.test(attribute));
  return [[pair, ...others, "SameSite=None", "Secure", "Partitioned"].join("; ")];
}

/** Passes of previews, and a cookie that an earlier version left. No dev server gets or sets them. */
function namesGantry(pair: string): boolean {
  return /^\s*gantry_(session|preview_(frame|tab)_\d+)\s*(=|$)/i.test(pair);
}

function removeHeaders(headers: HeaderLines, names: readonly string[]): HeaderLines {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
