import type { Readable } from "node:stream";
import type { SessionEvent } from "../../contract/session-event.ts";

/** The source is paused when this many events wait for a reader, and resumed at half of it. */
const MOST = 1_000;

/**
 * Events for one `for await` loop, with back-pressure: a slow loop pauses the agent's output, and with it the agent.
 * While a request waits for its answer, the output is read anyway, so that a loop may send requests.
 */
export class EventQueue implements AsyncIterableIterator<SessionEvent> {
  readonly #events: SessionEvent[] = [];
  readonly #waiting: ((result: IteratorResult<SessionEvent>) => void)[] = [];
  readonly #source: Readable;
  readonly #onEnd: () => void;
  #ended = false;

  constructor(source: Readable, onEnd: () => void) {
    this.#source = source;
    this.#onEnd = onEnd;
  }

  get full(): boolean {
    return this.#events.length >= MOST;
  }

  push(event: SessionEvent): void {
    if (this.#ended) return;
    const waiting = this.#waiting.shift();
    if (waiting) waiting({ value: event, done: false });
    else this.#events.push(event);
  }

  /** No more events follow. Those that wait are still delivered. */
  end(): void {
    this.#ended = true;
    for (const waiting of this.#waiting.splice(0)) waiting({ value: undefined, done: true });
  }

  async next(): Promise<IteratorResult<SessionEvent>> {
    const event = this.#events.shift();
    if (this.#events.length <= MOST / 2 && this.#source.isPaused()) this.#source.resume();
    if (event) return { value: event, done: false };
    if (this.#ended) return { value: undefined, done: true };
    return await new Promise((resolve) => this.#waiting.push(resolve));
  }

  async return(): Promise<IteratorResult<SessionEvent>> {
    this.#events.length = 0;
    this.end();
    this.#source.resume();
    this.#onEnd();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
