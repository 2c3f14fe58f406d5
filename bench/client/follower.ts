import { monotonicMs, until } from "../measure.ts";
import type { Conversation } from "../server.ts";
import { SseReader } from "./sse-reader.ts";

const QUIET_MS = 5_000;

/** A client that follows one conversation and counts the numbered events that it receives. */
export class Follower {
  readonly reader: SseReader;
  readonly seen = new Set<number>();
  /** Milliseconds from creation to arrival, for events that carry their creation time. */
  readonly delays: number[] = [];
  disorder = 0;
  repeats = 0;
  ends = 0;
  /** All events of Gantry's log, numbered or not. */
  logged = 0;
  /** The creation time of the first event that carries one. */
  firstMadeAt: number | undefined;
  /** The arrival time of the last event. */
  lastReceivedAt = 0;
  #highest = -1;

  constructor(conversation: Conversation, { lastId, pace }: { lastId?: string; pace?: number } = {}) {
    this.reader = new SseReader(
      conversation.stream(lastId),
      (frame) => {
        if (frame.event === "event") this.logged++;
        for (const received of conversation.parseFrame(frame)) {
          if (received.kind === "end") this.ends++;
          else this.#count(received.n, received.at);
        }
      },
      pace,
    );
  }

  /** Waits for `count` events, or until none has arrived for `quietMs` after the first; at most `limitMs`. */
  async settle(count: number, { limitMs = 90_000, quietMs = QUIET_MS } = {}): Promise<void> {
    const isDone = () => {
      if (this.seen.size >= count) return true;
      return this.seen.size > 0 && performance.now() - this.reader.lastAt > quietMs;
    };
    await until("events", isDone, { limitMs, everyMs: 5 }).catch(() => undefined);
  }

  /** From the creation of the first numbered event to the arrival of the last. */
  get ms(): number {
    return this.firstMadeAt === undefined ? Number.NaN : Math.max(1, this.lastReceivedAt - this.firstMadeAt);
  }

  close(): void {
    this.reader.close();
  }

  #count(n: number, at: number | undefined): void {
    const now = monotonicMs();
    this.lastReceivedAt = now;
    if (at !== undefined) {
      this.firstMadeAt ??= at;
      this.delays.push(now - at);
    }
    if (this.seen.has(n)) this.repeats++;
    if (n < this.#highest) this.disorder++;
    this.#highest = Math.max(this.#highest, n);
    this.seen.add(n);
  }
}
