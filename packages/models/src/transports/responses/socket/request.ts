import { asObject, asText, type Json, parseJson } from "../../json.ts";
import { continuationOf, stateAfter } from "./continuation.ts";
import { type Lease, leaseConnection, type SocketTarget } from "./pool.ts";

/** After a refused connection, requests to the URL use HTTP for this time. */
const REFUSED_MS = 5 * 60_000;
const refusals = new Map<string, number>();
const MOST_ATTEMPTS = 3;

export type SocketRequest = {
  target: SocketTarget;
  /** As it would be sent by HTTP. */
  body: Json;
  /** Without fallback, a connection that cannot be opened is a failure. */
  canFallBack: boolean;
  signal: AbortSignal;
};

/**
 * Sends a request over the session's WebSocket. Resolves when the response has begun, with its events as an SSE body.
 * `undefined`: no response has begun and HTTP should be used. A request is sent again only while no event of a response
 * has been received, so an answer is never delivered twice. A connection that breaks later fails the response.
 */
export async function requestOverSocket(request: SocketRequest): Promise<Response | undefined> {
  const { target, canFallBack, signal } = request;
  if (canFallBack && (refusals.get(target.url) ?? 0) > Date.now()) return undefined;
  const { stream: _stream, background: _background, ...body } = request.body;
  let fresh = false;
  let problem: unknown;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    let lease: Lease;
    try {
      lease = await leaseConnection(target, body, { signal, fresh });
    } catch (error) {
      problem = error;
      break;
    }
    const begun = await begin(lease, body, signal);
    if (begun instanceof ReadableStream) return new Response(begun);
    problem = begun.error;
    if (signal.aborted || !(lease.isReused || begun.isStale)) break;
    fresh = true;
  }
  signal.throwIfAborted();
  if (!canFallBack) throw problem;
  refusals.set(target.url, Date.now() + REFUSED_MS);
  return undefined;
}

const STALE_STATE = "previous_response_not_found";
const STALE_CONNECTION = "websocket_connection_limit_reached";
const ENDINGS = new Set([
  ...["response.completed", "response.done", "response.incomplete", "response.failed", "error"],
]);

type NotBegun = { error: Error; isStale: boolean };

/** Sends the request on a connection and waits for the first event of its response. */
function begin(lease: Lease, body: Json, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | NotBegun> {
  const { connection, state } = lease;
  let continued = state && continuationOf(body, state);
  const create = (fields: Json) => connection.send(JSON.stringify({ type: "response.create", ...fields }));
  return new Promise((resolve) => {
    const events = new EventBody(lease, body);
    const finish = (outcome: ReadableStream<Uint8Array> | NotBegun) => {
      if (outcome !== events.stream) {
        signal.removeEventListener("abort", stop);
        lease.discard();
      }
      resolve(outcome);
    };
    const stop = () => {
      events.fail(signal.reason);
      lease.discard();
      resolve({ error: signal.reason, isStale: false });
    };
    events.onEnd = () => signal.removeEventListener("abort", stop);
    signal.addEventListener("abort", stop, { once: true });
    connection.listen({
      closed(reason) {
        const error = new Error(`The connection was lost. ${reason}`);
        events.fail(error);
        finish({ error, isStale: false });
      },
      message(text) {
        const event = asObject(parseJson(text));
        const code = events.hasBegun ? "" : codeOf(event);
        if (code === STALE_STATE && continued) {
          continued = undefined;
          create(body);
        } else if (code === STALE_CONNECTION) {
          finish({ error: new Error("The server closed the connection because of its age."), isStale: true });
        } else {
          events.add(text, event);
          if (events.hasBegun) finish(events.stream);
        }
      },
    });
    if (signal.aborted) return stop();
    create(continued ?? body);
  });
}

function codeOf(event: Json): string {
  return event.type === "error" ? asText(asObject(event.error).code) || asText(event.code) : "";
}

function asSse(text: string): string {
  const lines = text.split(/\r\n|\n|\r/).map((line) => `data: ${line}\n`);
  return `${lines.join("")}\n`;
}

/** The events of one response as an SSE body. Releases the connection at the end, with what the server then holds. */
class EventBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** An event of the response was received, so the request must not be sent again. */
  hasBegun = false;
  onEnd = () => {};
  readonly #lease: Lease;
  readonly #body: Json;
  readonly #encoder = new TextEncoder();
  readonly #output: Json[] = [];
  #source!: ReadableStreamDefaultController<Uint8Array>;
  #id = "";
  #ended = false;

  constructor(lease: Lease, body: Json) {
    this.#lease = lease;
    this.#body = body;
    this.stream = new ReadableStream<Uint8Array>({
      start: (source) => {
        this.#source = source;
      },
      cancel: () => this.#end(() => lease.discard()),
    });
  }

  add(text: string, event: Json): void {
    if (this.#ended) return;
    const type = asText(event.type);
    const response = asObject(event.response);
    this.hasBegun ||= type.startsWith("response.") || type === "error" || type === "";
    if (type === "response.created") this.#id = asText(response.id);
    if (type === "response.output_item.done") this.#output.push(asObject(event.item));
    const isForeign = ENDINGS.has(type) && type !== "error" && this.#id !== "" && response.id !== this.#id;
    if (isForeign) return this.fail(new Error("The server sent the end of another response over the socket."));
    this.#source.enqueue(this.#encoder.encode(asSse(text)));
    if (!ENDINGS.has(type)) return;
    const isComplete = this.#id !== "" && (type === "response.completed" || type === "response.done");
    this.#end(() => {
      this.#source.close();
      // After an error in the middle of a response, more of its events could follow.
      if (type === "error" && this.#id !== "") this.#lease.discard();
      else this.#lease.release(isComplete ? stateAfter(this.#body, this.#id, this.#output) : undefined);
    });
  }

  fail(error: unknown): void {
    this.#end(() => {
      this.#source.error(error);
      this.#lease.discard();
    });
  }

  #end(finish: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    this.onEnd();
    finish();
  }
}
