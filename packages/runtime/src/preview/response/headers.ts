import type { IncomingHttpHeaders } from "node:http";
import { OLD_COOKIE } from "../../server/access/credentials.ts";
import { isTarget, type Target } from "../target.ts";
import { framePolicy, type Loosening, loosenPolicy } from "./policy.ts";

/** Headers as they are sent; a list is one line for each. */
export type HeaderLines = Record<string, number | string | string[] | undefined>;

/** They speak of one connection, and a preview has two. */
const HOP_BY_HOP = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];
/** They speak of the bytes of a document, which the inspector's tag has changed. */
const OF_THE_BYTES = ["content-length", "content-encoding", "etag", "last-modified", "accept-ranges", "content-md5"];

/**
 * A browser's headers as the target gets them: in the target's own name, so that dev servers that check Host and Origin
 * accept them, and without Gantry's cookie. `own` is the origin under which the browser sees the preview. Pure.
 */
export function towardsTarget(headers: IncomingHttpHeaders, own: string, target: Target): HeaderLines {
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

/** A target's headers as the browser gets them: it may be framed by the page, and its redirects stay here. Pure. */
export function towardsBrowser(headers: IncomingHttpHeaders, target: Target, loosening: Loosening): HeaderLines {
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

/** Headers of a document into which a tag is put: nothing in them may vouch for the bytes that came. Pure. */
export function ofChangedDocument(headers: HeaderLines): HeaderLines {
  return { ...removeHeaders(headers, OF_THE_BYTES), "cache-control": "no-cache" };
}

/** A place on the target becomes a path, which is good under either name of the preview. */
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

/** An earlier version left this cookie in browsers. It authorises nothing, and no dev server gets or sets it. */
function namesGantry(pair: string): boolean {
  return pair.split("=")[0]?.trim() === OLD_COOKIE;
}

function removeHeaders(headers: HeaderLines, names: readonly string[]): HeaderLines {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
