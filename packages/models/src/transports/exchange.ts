import type { ProviderFailure } from "../messages.ts";
import type { Model } from "../model.ts";
import type { ModelRequest, StreamEvent } from "../stream.ts";
import type { Assembly } from "./assembly.ts";
import { classify } from "./failure/classify.ts";
import { failureOfException } from "./failure/exception.ts";
import { secretsOf } from "./failure/redact.ts";
import { EventStreamDecoder } from "./framing/event-stream.ts";
import { JsonLinesDecoder } from "./framing/json-lines.ts";
import type { RawFrame } from "./framing/raw-frame.ts";
import { SseDecoder } from "./framing/sse.ts";
import { asObject, type Json, parseJson } from "./json.ts";
import { finalHeaders } from "./shaping/headers.ts";
import type { Transport } from "./transport.ts";

const IDLE_MS = 120_000;
const ERROR_BODY = 64 * 1024;
const ABORTED: ProviderFailure = { category: "aborted", message: "The request was aborted." };

type Answer = { response: Response; secrets: string[] };

/** Sends one request. `undefined`: it came to nothing, and the assembly knows why. */
export async function send(
  transport: Transport,
  model: Model,
  request: ModelRequest,
  assembly: Assembly,
  inner: AbortController,
): Promise<Answer | undefined> {
  let secrets = secretsOf(request.credential, model.headers);
  try {
    if (inner.signal.aborted) throw inner.signal.reason;
    const wire = await transport.prepare(model, request);
    const post = async (json: Json): Promise<Response> => {
      const body = JSON.stringify(request.seal ? request.seal(json) : json);
      let headers = finalHeaders({ "content-type": "application/json", ...wire.headers }, model, request.credential);
      const signed = await transport.sign?.({ url: wire.url, headers, body }, request);
      headers = { ...headers, ...(signed as Record<string, string> | undefined) };
      secrets = secretsOf(request.credential, headers);
      const ask = request.fetch ?? globalThis.fetch;
      return inTime(ask(wire.url, { method: "POST", headers, body, signal: inner.signal }), request, inner);
    };
    let response = await post(wire.body);
    if (response.ok) return { response, secrets };
    let text = await inTime(beginning(response), request, inner);
    const plainer = transport.plainer?.(model, wire.body, { status: response.status, text });
    if (plainer) {
      response = await post(plainer);
      if (response.ok) return { response, secrets };
      text = await inTime(beginning(response), request, inner);
    }
    assembly.fail(classify({ status: response.status, headers: response.headers, text, secrets }));
  } catch (error) {
    assembly.fail(whyThrown(error, request, secrets));
  }
  return undefined;
}

/** Reads the answer to its end and gives events as they come, those of one piece of the network at a time. */
export async function* readAnswer(
  transport: Transport,
  { response, secrets }: Answer,
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
  const tell = (frames: RawFrame[]) => {
    for (const { event, data } of frames) {
      if (last || assembly.failed) return;
      seen++;
      if (data.trim() === "[DONE]") {
        last = true;
        // Some servers say that they are done, but not how.
        if (!assembly.settled) assembly.end("unknown", "[DONE]");
        return;
      }
      const parsed = parseJson(data);
      if (parsed === undefined)
        fail(`upstream: the provider sent what is no JSON: ${data.slice(0, 200)}`, "server_error");
      else last = reader.frame({ event, data: asObject(parsed) }) === "last";
    }
  };
  const source = response.body?.getReader();
  try {
    while (source && !last && !assembly.failed) {
      const { done, value } = await inTime(source.read(), request, inner);
      if (done) break;
      if (seen === 0 && opening.length < ERROR_BODY) opening += Buffer.from(value).toString("utf8");
      tell(decode.push(value));
      yield assembly.take();
    }
    tell(decode.flush());
    reader.end?.();
    if (seen === 0 && !assembly.settled && opening.trim() !== "") fail(opening, "server_error");
  } catch (error) {
    assembly.fail(whyThrown(error, request, secrets));
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

class Stalled extends Error {}

/** Waits for something that must not take longer than the idle time. The clock only runs while we wait. */
async function inTime<T>(work: Promise<T>, request: ModelRequest, inner: AbortController): Promise<T> {
  const limit = request.idleMs ?? IDLE_MS;
  let timer: NodeJS.Timeout | undefined;
  let gone = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Stalled(`Nothing came for ${limit} ms.`));
      inner.abort();
    }, limit);
    gone = () => reject(inner.signal.reason);
    inner.signal.addEventListener("abort", gone, { once: true });
    if (inner.signal.aborted) gone();
  });
  late.catch(() => {});
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    inner.signal.removeEventListener("abort", gone);
  }
}

function whyThrown(error: unknown, request: ModelRequest, secrets: string[]): ProviderFailure {
  if (error instanceof Stalled) return { category: "network", message: error.message };
  if (request.signal.aborted) return ABORTED;
  return failureOfException(error, secrets);
}

async function beginning(response: Response): Promise<string> {
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
    // What came until here is all there is to read; the status says the rest.
  }
  source?.cancel().catch(() => {});
  return Buffer.concat(chunks).toString("utf8");
}
