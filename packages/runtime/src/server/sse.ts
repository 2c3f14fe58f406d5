import type { IncomingMessage, ServerResponse } from "node:http";
import { GantryError } from "@gantry/protocol";
import { comment } from "../hub/frames.ts";
import type { Sink } from "../hub/subscriber.ts";

/** Does the caller want the answer as server-sent events? */
export function wantsStream(request: IncomingMessage): boolean {
  return request.headers.accept?.toLowerCase().includes("text/event-stream") ?? false;
}

/** Where a browser's EventSource left off. It wins over the query, which stays the same on every reconnect. */
export function lastEventId(request: IncomingMessage): number | undefined {
  const header = request.headers["last-event-id"];
  if (header === undefined || header === "") return undefined;
  if (typeof header === "string" && /^\d{1,15}$/.test(header)) return Number(header);
  throw new GantryError("invalid", "Last-Event-ID must be a number that the stream gave as an id.");
}

/**
 * Server-sent events on a Node response. Bytes of one turn of the event loop go out in one write. The first comment goes
 * out at once, so that the client knows that the stream is open.
 */
export class EventStream implements Sink {
  readonly #outgoing: ServerResponse;
  #corked = false;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
    outgoing.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-accel-buffering": "no",
    });
    outgoing.on("error", () => outgoing.destroy());
    if (outgoing.req.method === "HEAD") this.end();
    else this.write(comment("gantry"));
  }

  get open(): boolean {
    return !this.#outgoing.writableEnded && !this.#outgoing.destroyed;
  }

  /** Bytes that the connection has not taken yet. */
  get waiting(): number {
    return this.#outgoing.writableLength;
  }

  write(chunk: Uint8Array): boolean {
    if (!this.open) return false;
    this.#gather();
    return this.#outgoing.write(chunk);
  }

  end(): void {
    this.#outgoing.end();
  }

  onDrain(listener: () => void): void {
    this.#outgoing.on("drain", listener);
  }

  onClose(listener: () => void): void {
    this.#outgoing.on("close", listener);
  }

  #gather(): void {
    const socket = this.#outgoing.socket;
    if (this.#corked || !socket) return;
    this.#corked = true;
    socket.cork();
    process.nextTick(() => {
      this.#corked = false;
      socket.uncork();
    });
  }
}
