import type { LookupAddress } from "node:dns";
import { lookup as lookupHost } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { GantryError } from "@gantry/protocol";
import { isInnerAddress } from "@gantry/trust";

export type PushResponse = { status: number; retryAfterMs?: number };

/** Sends one message to a push service. Rejects if the service cannot be reached or may not be contacted. */
export type SendRequest = (endpoint: URL, headers: Record<string, string>, body: Buffer) => Promise<PushResponse>;

/** How a host is reached. Tests use a service on this machine, which the defaults refuse. */
export type RequestOptions = {
  resolve?: (host: string) => Promise<LookupAddress[]>;
  isRefused?: (address: string) => boolean;
  /** The certificate authority of the service. */
  ca?: string;
};

const TIMEOUT_MS = 20_000;

/** Parses the endpoint of a subscription. Throws `invalid` for what is not https or names this machine or its network. */
export function parseEndpoint(text: string, isRefused = isInnerAddress): URL {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
    throw refusal("The endpoint of a subscription must be an https address without a user.");
  const host = hostOf(url);
  const isLocal = isIP(host) ? isRefused(host) : /(^|\.)(localhost|local|internal|lan|home\.arpa)\.?$/.test(host);
  if (isLocal || (!isIP(host) && !host.includes(".")))
    throw refusal("The endpoint of a subscription must not be in a private network.");
  return url;
}

/** The name is resolved once and checked, and the connection uses that address: DNS rebinding gains nothing. No redirects. */
export function createRequest(options: RequestOptions = {}): SendRequest {
  return async (endpoint, headers, body) => {
    const addresses = await resolvePublic(endpoint, options);
    const lookup: LookupFunction = (_host, settings, done) =>
      settings.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const length = { "content-length": String(body.length) };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request(
        endpoint,
        { method: "POST", lookup, headers: { ...headers, ...length }, signal, agent: false, ca: options.ca },
        resolve,
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
    // Some services explain a refusal; nothing of it is shown or stored.
    response.resume();
    const seconds = Number(response.headers["retry-after"]);
    return { status: response.statusCode ?? 0, ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}) };
  };
}

/** Throws `invalid` if the name belongs to a private network. */
export async function resolvePublic(
  url: URL,
  { resolve = resolveAll, isRefused = isInnerAddress }: RequestOptions,
): Promise<LookupAddress[]> {
  const addresses = await resolve(hostOf(url));
  if (addresses.length === 0 || addresses.some(({ address }) => isRefused(address)))
    throw refusal(`${url.hostname} is in a private network. Nothing was sent to it.`);
  return addresses;
}

async function resolveAll(host: string): Promise<LookupAddress[]> {
  const family = isIP(host);
  return family ? [{ address: host, family }] : await lookupHost(host, { all: true });
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

function refusal(message: string): GantryError {
  return new GantryError("invalid", message);
}
