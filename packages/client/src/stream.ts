import { GantryError } from "@gantry/protocol";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { Transport } from "./transport.ts";

export type Message = { event: string; id?: string; data: unknown };

export type StreamOptions = {
  signal?: AbortSignal;
  /** Called each time a connection is established, before anything is read from it. */
  onOpen?: () => void;
  /** A stream that is silent for this long is dead: the daemon writes a comment line every 15 s. */
  idleMs?: number;
  /** For a stream that another method than GET opens. */
  request?: { method?: string; headers?: Record<string, string>; body?: string; bare?: boolean };
};

/**
 * The messages of one connection, until it ends. Throws `GantryError` when it cannot be opened or breaks.
 * Ending the loop over it closes the connection.
 */
export async function* openStream(
  transport: Transport,
  path: string,
  { signal, onOpen, idleMs = 45_000, request }: StreamOptions,
): AsyncGenerator<Message> {
  const connection = new AbortController();
  const watch = watchdog(idleMs, () => connection.abort());
  const signals = signal ? AbortSignal.any([signal, connection.signal]) : connection.signal;
  const messages: Message[] = [];
  const parser = createParser({
    onEvent: ({ event = "message", id, data }: EventSourceMessage) =>
      messages.push({ event, id, data: JSON.parse(data) }),
  });
  try {
    const headers = { ...request?.headers, accept: "text/event-stream" };
    const response = await transport.request(path, { ...request, headers, signal: signals });
    onOpen?.();
    const decoder = new TextDecoder();
    // Some browsers cannot iterate over a body.
    const reader = response.body?.getReader();
    for (;;) {
      watch.feed();
      const read = await reader?.read();
      watch.pause();
      if (!read || read.done) return;
      parser.feed(decoder.decode(read.value, { stream: true }));
      yield* messages.splice(0);
    }
  } catch (error) {
    if (error instanceof GantryError || signal?.aborted) throw error;
    throw new GantryError("unavailable", "The stream ended unexpectedly.", {
      remedy: "Follow the stream again after the last event you received.",
    });
  } finally {
    watch.pause();
    connection.abort();
  }
}

/** Calls `onIdle` when it has not been fed for `ms`. Paused while the caller handles messages and reads no bytes. */
function watchdog(ms: number, onIdle: () => void): { feed(): void; pause(): void } {
  let timer = setTimeout(onIdle, ms);
  return {
    feed: () => {
      clearTimeout(timer);
      timer = setTimeout(onIdle, ms);
    },
    pause: () => clearTimeout(timer),
  };
}
