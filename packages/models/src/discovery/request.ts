import { CUSTOM_DEFAULTS, type Model } from "../model.ts";
import type { DiscoveryTarget } from "./targets.ts";

export type DiscoveryRequest = {
  fetch: typeof globalThis.fetch;
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** For one request. Short for local servers that were not configured. */
  timeoutMs: number;
};

const MAX_BYTES = 8 * 1024 * 1024;

export type About = {
  name?: string | undefined;
  reasoning?: boolean;
  image?: boolean;
  contextWindow?: number | undefined;
  maxTokens?: number | undefined;
};

/** A model with defaults for everything that the provider did not report. */
export function makeModel(target: DiscoveryTarget, baseUrl: string, id: string, about: About): Model {
  const { contextWindow: reported = 0 } = about;
  const contextWindow = Number.isInteger(reported) && reported > 0 ? reported : CUSTOM_DEFAULTS.contextWindow;
  const made: Model = {
    ...CUSTOM_DEFAULTS,
    id,
    name: about.name ?? id,
    api: target.api,
    provider: target.provider,
    baseUrl,
    reasoning: about.reasoning ?? false,
    input: about.image ? ["text", "image"] : ["text"],
    contextWindow,
    maxTokens: Math.min(about.maxTokens ?? CUSTOM_DEFAULTS.maxTokens, contextWindow),
  };
  return target.keyless ? { ...made, keyless: true } : made;
}

/** Sends a request and returns the parsed body. Rejects with an error whose message is shown to the user. */
export async function fetchJson(
  url: string,
  target: DiscoveryTarget,
  request: DiscoveryRequest,
  body?: object,
): Promise<unknown> {
  const limit = AbortSignal.timeout(request.timeoutMs);
  const response = await request.fetch(url, {
    method: body ? "POST" : "GET",
    headers: {
      accept: "application/json",
      ...(body ? { "content-type": "application/json" } : {}),
      ...(request.key ? (target.keyHeaders?.(request.key) ?? { authorization: `Bearer ${request.key}` }) : {}),
      ...target.headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    redirect: "error",
    signal: request.signal ? AbortSignal.any([limit, request.signal]) : limit,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered with status ${response.status}`);
  }
  return JSON.parse(await readBody(response, url));
}

/** Limits the size, so that an endless response does not exhaust memory. */
async function readBody(response: Response, url: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > MAX_BYTES) throw new Error(`${url} answered with more than ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
