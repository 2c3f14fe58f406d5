import { type ClientRequest, get, type IncomingMessage } from "node:http";

export type SseFrame = { event: string; id?: string; data: string };
export type StreamTarget = { url: string; headers: Record<string, string> };

const SLICE_MS = 50;

/** The header of a client that reconnects. */
export function resumeAt(lastId: string | undefined): Record<string, string> {
  return lastId === undefined ? {} : { "last-event-id": lastId };
}

/**
 * Reads server-sent events in the same way for every server. `bytes` counts the received body. With a `pace`, it reads
 * that many bytes per second and leaves the rest in the socket.
 */
export class SseReader {
  bytes = 0;
  lastId: string | undefined;
  /** The arrival of the last bytes, on the clock of `performance.now()`. */
  lastAt = performance.now();
  firstAt: number | undefined;
  readonly #onFrame: (frame: SseFrame) => void;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #rest = "";
  #pacer: NodeJS.Timeout | undefined;
  readonly opened: Promise<void>;

  constructor({ url, headers }: StreamTarget, onFrame: (frame: SseFrame) => void, pace?: number) {
    this.#onFrame = onFrame;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.opened = promise;
    this.#request = get(url, { headers: { accept: "text/event-stream", ...headers }, agent: false }, (response) => {
      this.#response = response.setEncoding("utf8");
      if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}`));
      if (pace === undefined) this.readAtFullSpeed();
      else this.#pacer = setInterval(() => this.#slice((pace * SLICE_MS) / 1000), SLICE_MS);
      resolve();
    });
    this.#request.on("error", reject);
    promise.catch(() => undefined);
  }

  /** Ends the pace: reads at full speed from now on. */
  readAtFullSpeed(): void {
    clearInterval(this.#pacer);
    this.#response?.on("data", (chunk: string) => this.#take(chunk));
    this.#response?.on("error", () => undefined);
  }

  close(): void {
    clearInterval(this.#pacer);
    this.#request.on("error", () => undefined);
    this.#request.destroy();
  }

  #slice(size: number): void {
    const chunk: string | null = this.#response?.read(Math.max(1, Math.round(size))) ?? null;
    if (chunk !== null) this.#take(chunk);
  }

  #take(chunk: string): void {
    this.lastAt = performance.now();
    this.firstAt ??= this.lastAt;
    this.bytes += Buffer.byteLength(chunk);
    const blocks = (this.#rest + chunk).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) this.#frame(block);
  }

  #frame(block: string): void {
    const frame: SseFrame = { event: "message", data: "" };
    for (const line of block.split("\n")) {
      if (line.startsWith("data:")) frame.data += line.slice(5).trimStart();
      else if (line.startsWith("id:")) frame.id = line.slice(3).trim();
      else if (line.startsWith("event:")) frame.event = line.slice(6).trim();
    }
    if (frame.id !== undefined) this.lastId = frame.id;
    if (frame.data !== "") this.#onFrame(frame);
  }
}
