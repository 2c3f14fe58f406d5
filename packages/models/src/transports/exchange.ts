import type { ProviderFailure } from "../messages.ts";
import type { Model } from "../model.ts";
import type { ModelRequest, StreamEvent } from "../stream.ts";
import type { Assembly } from "./assembly.ts";
import { classify } from "./failure/classify.ts";
import { failureOfException } from "./failure/exception.ts";
import { secretsOf } from "./failure/redact.ts";
import { EventStreamDecoder } from "./framing/event-stream.ts";
import { JsonLinesDecoder } from "./framing/json-lines.ts";
import { SseDecoder } from "./framing/sse.ts";
import { asObject, type Json, parseJson } from "./json.ts";
import { finalHeaders, mergeHeaders } from "./shaping/headers.ts";
import type { RawFrame, Transport, WireRequest } from "./transport.ts";

const IDLE_MS = 120_000;
const ERROR_BODY = 64 * 1024;
const ABORTED: ProviderFailure = { category: "aborted", message: "The request was aborted." };

type SentRequest = { response: Response; secrets: string[] };

/** Sends one request. `undefined`: it failed, and the assembly has the failure. */
export async function send(
  transport: Transport,
  model: Model,
  request: ModelRequest,
  assembly: Assembly,
  inner: AbortController,
): Promise<SentRequest | undefined> {
  let secrets = secretsOf(request.credential, model.headers);
  try {
    if (inner.signal.aborted) throw inner.signal.reason;
    const wire = await transport.prepare(model, request);
    const post = async (json: Json): Promise<Response> => {
      const sealed = request.seal ? request.seal(json) : json;
      const body = JSON.stringify(sealed);
      let headers = finalHeaders({ "content-type": "application/json", ...wire.headers }, model, request.credential);
      const signed = await transport.sign?.({ url: wire.url, headers, body }, request);
      headers = { ...headers, ...(signed as Record<string, string> | undefined) };
      secrets = secretsOf(request.credential, headers);
      const sent = { url: wire.url, headers, body: asObject(sealed) };
      const streamed = await withIdleTimeout(sendOverSocket(transport, model, request, sent, inner), request, inner);
      if (streamed) return streamed;
      const fetch = request.fetch ?? globalThis.fetch;
      return withIdleTimeout(fetch(wire.url, { method: "POST", headers, body, signal: inner.signal }), request, inner);
    };
    let response = await post(wire.body);
    if (response.ok) return { response, secrets };
    let text = await withIdleTimeout(readErrorBody(response), request, inner);
    const reduced = transport.reduceBody?.(model, wire.body, { status: response.status, text });
    if (reduced) {
      response = await post(reduced);
      if (response.ok) return { response, secrets };
      text = await withIdleTimeout(readErrorBody(response), request, inner);
    }
    assembly.fail(classify({ status: response.status, headers: response.headers, text, secrets }));
  } catch (error) {
    assembly.fail(failureOf(error, request, secrets));
  }
  return undefined;
}

let mayHaveConnections = false;

/** Whether a request of this process has used a WebSocket. */
export function hasConnections(): boolean {
  return mayHaveConnections;
}

/**
 * The response over the session's WebSocket, if the model uses one. `undefined`: use HTTP. A single request without a
 * session gains nothing, and a custom `fetch` cannot carry a WebSocket.
 */
async function sendOverSocket(
  { socketHeaders }: Transport,
  { websockets = "off" }: Model,
  { sessionId, fetch }: ModelRequest,
  { url, headers, body }: WireRequest,
  { signal }: AbortController,
): Promise<Response | undefined> {
  if (!socketHeaders || websockets === "off" || sessionId === undefined || fetch) return undefined;
  mayHaveConnections = true;
  const { requestOverSocket } = await import("./responses/socket/request.ts");
  const own = mergeHeaders(headers, { accept: null, "content-type": null }, socketHeaders);
  return requestOverSocket({
    target: { sessionId, url, headers: own },
    body,
    canFallBack: websockets === "auto",
    signal,
  });
}

/** Reads the response and yields events, one batch per network chunk. */
export async function* readResponse(
  transport: Transport,
  { response, secrets }: SentRequest,
  model: Model,
  request: ModelRequest,
  assembly: Assembly,
  inner: AbortController,
): AsyncGenerator<StreamEvent[], void, undefined> {
  const reader = transport.reader(assembly, model);
  const decode = decoderOf(transport.framing);
  const fail = (text: string, code?: string) =>
    assembly.fail(classify({ text, secrets, headers: response.headers, code }));
  let seen = 0;
  let opening = "";
  let last = false;
  const feed = (frames: RawFrame[]) => {
    for (const { event, data } of frames) {
      if (last || assembly.failed) return;
      seen++;
      if (data.trim() === "[DONE]") {
        last = true;
        // Some servers end the stream without a stop reason.
        if (!assembly.settled) assembly.end("unknown", "[DONE]");
        return;
      }
      const parsed = parseJson(data);
      if (parsed === undefined) fail(`upstream: the provider sent invalid JSON: ${data.slice(0, 200)}`, "server_error");
      else last = reader.frame({ event, data: asObject(parsed) }) === "last";
    }
  };
  const source = response.body?.getReader();
  try {
    while (source && !last && !assembly.failed) {
      const { done, value } = await withIdleTimeout(source.read(), request, inner);
      if (done) break;
      if (seen === 0 && opening.length < ERROR_BODY) opening += Buffer.from(value).toString("utf8");
      feed(decode.push(value));
      yield assembly.take();
    }
    feed(decode.flush());
    reader.end?.();
    if (seen === 0 && !assembly.settled && opening.trim() !== "") fail(opening, "server_error");
  } catch (error) {
    assembly.fail(failureOf(error, request, secrets));
  } finally {
    source?.cancel().catch(() => {});
  }
  yield assembly.take();
}

function decoderOf(framing: Transport["framing"]): { push(bytes: Uint8Array): RawFrame[]; flush(): RawFrame[] } {
  if (framing === "event-stream") return new EventStreamDecoder();
  const text = new TextDecoder();
  const lines = framing === "sse" ? new SseDecoder() : new JsonLinesDecoder();
  return {
    push: (bytes) => lines.push(text.decode(bytes, { stream: true })),
    flush: () => [...lines.push(text.decode()), ...lines.flush()],
  };
}

class IdleTimeout extends Error {}

/** Rejects after the idle timeout. The timer runs only while a read is pending, not while the consumer is busy. */
async function withIdleTimeout<T>(work: Promise<T>, request: ModelRequest, inner: AbortController): Promise<T> {
  const limit = request.idleMs ?? IDLE_MS;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new IdleTimeout(`No data received for ${limit} ms.`));
      inner.abort();
    }, limit);
    onAbort = () => reject(inner.signal.reason);
    inner.signal.addEventListener("abort", onAbort, { once: true });
    if (inner.signal.aborted) onAbort();
  });
  timeout.catch(() => {});
  work.catch(() => {});
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
    inner.signal.removeEventListener("abort", onAbort);
  }
}

function failureOf(error: unknown, request: ModelRequest, secrets: string[]): ProviderFailure {
  if (error instanceof IdleTimeout) return { category: "network", message: error.message };
  if (request.signal.aborted) return ABORTED;
  return failureOfException(error, secrets);
}

async function readErrorBody(response: Response): Promise<string> {
  const source = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (source && size < ERROR_BODY) {
      const { done, value } = await source.read();
      if (done) break;
      chunks.push(value);
      size += value.length;
    }
  } catch {
    // Use what was received; the status is known anyway.
  }
  source?.cancel().catch(() => {});
  return Buffer.concat(chunks).toString("utf8");
}
