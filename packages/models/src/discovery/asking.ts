import type { Model } from "../model.ts";
import { CUSTOM_DEFAULTS } from "../registry/merge.ts";
import type { DiscoveryTarget } from "./targets.ts";

export type Ask = {
  fetch: typeof globalThis.fetch;
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** For one request. A program that nobody has named gets little time. */
  timeoutMs: number;
};

const LARGEST = 8 * 1024 * 1024;

export type About = {
  name?: string | undefined;
  reasoning?: boolean;
  image?: boolean;
  contextWindow?: number | undefined;
  maxTokens?: number | undefined;
};

/** A model of which only this is known. */
export function model(target: DiscoveryTarget, baseUrl: string, id: string, about: About): Model {
  const { contextWindow: said = 0 } = about;
  const contextWindow = Number.isInteger(said) && said > 0 ? said : CUSTOM_DEFAULTS.contextWindow;
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

/** Asks, and gives what was answered. Rejects in words. */
export async function json(url: string, target: DiscoveryTarget, ask: Ask, body?: object): Promise<unknown> {
  const limit = AbortSignal.timeout(ask.timeoutMs);
  const response = await ask.fetch(url, {
    method: body ? "POST" : "GET",
    headers: {
      accept: "application/json",
      ...(body ? { "content-type": "application/json" } : {}),
      ...(ask.key ? (target.keyHeaders?.(ask.key) ?? { authorization: `Bearer ${ask.key}` }) : {}),
      ...target.headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    redirect: "error",
    signal: ask.signal ? AbortSignal.any([limit, ask.signal]) : limit,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered with status ${response.status}`);
  }
  return JSON.parse(await textOf(response, url));
}

/** An answer without end must not fill the memory. */
async function textOf(response: Response, url: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > LARGEST) throw new Error(`${url} answered with more than ${LARGEST} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
