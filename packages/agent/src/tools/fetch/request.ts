import type { LookupAddress } from "node:dns";
import { lookup as lookupHost } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isInnerAddress } from "@gantry/trust";
import { ToolError } from "../../contract/tool.ts";
import { messageOf } from "../define.ts";
import { isAllowedHost } from "./hosts.ts";

export type HttpAnswer = { status: number; headers: IncomingMessage["headers"]; body: Buffer; cut: boolean };
export type Resolve = (host: string) => Promise<LookupAddress[]>;
export type RequestOptions = {
  allow: readonly string[];
  maxBytes: number;
  signal: AbortSignal;
  resolve?: Resolve;
};

const UNPACK = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
  ["deflate", createInflate],
]);

/**
 * Sends one GET without following redirects. The name is resolved once, its addresses are checked, and the connection
 * uses exactly those. So a name that changes its addresses in between (DNS rebinding) gains nothing.
 */
export async function requestOnce(url: URL, options: RequestOptions): Promise<HttpAnswer> {
  const addresses = await resolveAllowed(url, options);
  const lookup: LookupFunction = (_host, settings, done) =>
    settings.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const headers = { "user-agent": "gantry", accept: "text/html, */*;q=0.8", "accept-encoding": "gzip, deflate, br" };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send(url, { lookup, headers, signal: options.signal, agent: false }, resolve);
    outgoing.on("error", reject);
    outgoing.end();
  });
  const { body, cut } = await readBody(response, options.maxBytes);
  return { status: response.statusCode ?? 0, headers: response.headers, body, cut };
}

async function resolveAllowed(url: URL, { allow, resolve = everyAddress }: RequestOptions): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await resolve(host).catch((error) => {
    throw new ToolError(`${host} cannot be found: ${messageOf(error)}`);
  });
  if (isAllowedHost(url, allow)) return addresses;
  const inner = addresses.find(({ address }) => isInnerAddress(address));
  if (!inner) return addresses;
  throw new ToolError(
    `${host} is in a private network (${inner.address}). Such hosts can be read only if \`fetch.allow\` names them.`,
  );
}

async function everyAddress(host: string): Promise<LookupAddress[]> {
  const family = isIP(host);
  return family ? [{ address: host, family }] : await lookupHost(host, { all: true });
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = decompress(response);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= maxBytes) continue;
    response.destroy();
    return { body: Buffer.concat(chunks).subarray(0, maxBytes), cut: true };
  }
  return { body: Buffer.concat(chunks), cut: false };
}

function decompress(response: IncomingMessage) {
  const unpack = UNPACK.get(response.headers["content-encoding"]?.toLowerCase() ?? "")?.();
  if (!unpack) return response;
  response.on("error", (error) => unpack.destroy(error));
  return response.pipe(unpack);
}
