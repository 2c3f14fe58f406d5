import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { encryptMessage } from "./encrypt.ts";
import type { PushResponse, SendRequest } from "./request.ts";
import { decodeKeys, type StoredSubscription } from "./subscriptions.ts";
import { type ServerKeys, signVapid } from "./vapid.ts";

export type DeliverOptions = {
  send: SendRequest;
  keys: ServerKeys;
  contact: string;
  /** A message that waits at the push service is replaced by a later one with the same topic. */
  topic: string;
  /** Whether a retry is still of use. */
  isCurrent: () => boolean;
  signal: AbortSignal;
  retryMs?: readonly number[];
};

/** `gone`: the browser has unsubscribed. */
export type Delivery = "gone" | { failure?: string };

const RETRY_MS = [2000, 10_000, 60_000];
const LONGEST_WAIT_MS = 300_000;
/** How long the push service stores the message for a device that is offline. */
const TTL_SECONDS = 12 * 3600;

/** Encrypts a message for one browser and sends it to its push service, with retries. Never rejects. */
export async function deliver(to: StoredSubscription, text: string, options: DeliverOptions): Promise<Delivery> {
  const { retryMs = RETRY_MS, signal, isCurrent } = options;
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(to, text, options);
    if (outcome === "gone" || outcome.failure === undefined) return outcome;
    const delay = outcome.isFinal ? undefined : retryMs[attempt];
    if (delay === undefined || !isCurrent()) return { failure: outcome.failure };
    await sleep(Math.min(Math.max(delay, outcome.retryAfterMs ?? 0), LONGEST_WAIT_MS), undefined, {
      signal,
      ref: false,
    }).catch(() => undefined);
    if (signal.aborted || !isCurrent()) return { failure: outcome.failure };
  }
}

type Attempt = "gone" | { failure?: string; isFinal?: boolean; retryAfterMs?: number };

async function attemptOnce(to: StoredSubscription, text: string, options: DeliverOptions): Promise<Attempt> {
  try {
    const endpoint = new URL(to.endpoint);
    const body = encryptMessage(text, decodeKeys(to));
    return describeResponse(await options.send(endpoint, headersFor(endpoint, options), body));
  } catch (error) {
    return { failure: `The push service could not be reached: ${(error as Error).message}` };
  }
}

function headersFor(endpoint: URL, { keys, contact, topic }: DeliverOptions): Record<string, string> {
  return {
    authorization: signVapid(endpoint, keys, contact, Date.now()),
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
    ttl: String(TTL_SECONDS),
    urgency: "high",
    // A hash: the id of a request is not the service's business, and the header allows 32 characters.
    topic: createHash("sha256").update(topic).digest("base64url").slice(0, 32),
  };
}

function describeResponse({ status, retryAfterMs }: PushResponse): Attempt {
  if (status >= 200 && status < 300) return {};
  if (status === 404 || status === 410) return "gone";
  const isFinal = status !== 429 && status < 500;
  return { failure: `The push service answered with status ${status}.`, isFinal, retryAfterMs };
}
