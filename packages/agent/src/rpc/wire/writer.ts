import type { Writable } from "node:stream";

/** Characters that may wait for the reader before `full` is set. */
const FULL = 8 * 1024 * 1024;

/**
 * Writes frames, one JSON object per line, in the order of `send`. While the reader is slow, lines are buffered here and
 * the stream gets no more than it accepts. `send` never blocks and never throws: producers apply back-pressure by
 * checking `full`. After the reader has gone, further frames are dropped.
 */
export interface FrameWriter {
  send(frame: Record<string, unknown>): void;
  readonly full: boolean;
  /** Resolves when the buffer is below its limit, or when the reader has gone. */
  waitForRoom(): Promise<void>;
  /** Resolves when every frame has left this process, or can no longer leave it. */
  waitUntilFlushed(): Promise<void>;
  /** Bytes passed to the stream so far. */
  readonly bytes: number;
}

export function createFrameWriter(stream: Writable, full = FULL): FrameWriter {
  return new BufferedWriter(stream, full);
}

class BufferedWriter implements FrameWriter {
  bytes = 0;
  readonly #stream: Writable;
  readonly #limit: number;
  readonly #buffer: string[] = [];
  #buffered = 0;
  #blocked = false;
  #gone = false;
  /** Lines whose write callback has not been called yet. */
  #unwritten = 0;
  readonly #flushWaiters: (() => void)[] = [];
  readonly #roomWaiters: (() => void)[] = [];

  constructor(stream: Writable, limit: number) {
    this.#stream = stream;
    this.#limit = limit;
    stream.on("drain", () => this.#drain());
    stream.on("error", () => this.#discard());
    stream.on("close", () => this.#discard());
  }

  get full(): boolean {
    return this.#buffered >= this.#limit;
  }

  send(frame: Record<string, unknown>): void {
    if (this.#gone) return;
    const line = `${JSON.stringify(frame)}\n`;
    if (!this.#blocked) return this.#write(line);
    this.#buffer.push(line);
    this.#buffered += line.length;
  }

  waitForRoom(): Promise<void> {
    return this.#waitIn(this.#roomWaiters);
  }

  waitUntilFlushed(): Promise<void> {
    return this.#waitIn(this.#flushWaiters);
  }

  #waitIn(waiters: (() => void)[]): Promise<void> {
    return new Promise((resolve) => {
      waiters.push(resolve);
      this.#wakeWaiters();
    });
  }

  #write(line: string): void {
    this.#unwritten += 1;
    this.bytes += Buffer.byteLength(line);
    const accepts = this.#stream.write(line, () => {
      this.#unwritten -= 1;
      this.#wakeWaiters();
    });
    if (!accepts) this.#blocked = true;
  }

  #drain(): void {
    this.#blocked = false;
    while (!this.#blocked && this.#buffer.length > 0) {
      const line = this.#buffer.shift() as string;
      this.#buffered -= line.length;
      this.#write(line);
    }
    this.#wakeWaiters();
  }

  #discard(): void {
    this.#gone = true;
    this.#buffer.length = 0;
    this.#buffered = 0;
    this.#wakeWaiters();
  }

  #wakeWaiters(): void {
    if (!this.full) for (const wake of this.#roomWaiters.splice(0)) wake();
    if (!this.#gone && (this.#unwritten > 0 || this.#buffer.length > 0)) return;
    for (const wake of this.#flushWaiters.splice(0)) wake();
  }
}
