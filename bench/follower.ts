import { until } from "./measure.ts";
import type { Talk } from "./server.ts";
import { SseReader } from "./sse-reader.ts";

const QUIET_MS = 4_000;

/** A client that follows one conversation and keeps account of the numbered events that reach it. */
export class Follower {
  readonly reader: SseReader;
  readonly seen = new Set<number>();
  /** Milliseconds from the agent's clock to here, of events that say when they were made. */
  readonly delays: number[] = [];
  disorder = 0;
  repeats = 0;
  ends = 0;
  /** The agent's clock at the first event that says it. */
  firstMadeAt: number | undefined;
  /** Our clock at the last event. */
  lastHeardAt = 0;
  #highest = -1;

  constructor(talk: Talk, { lastId, pace }: { lastId?: string; pace?: number } = {}) {
    this.reader = new SseReader(
      talk.stream(lastId),
      (frame) => {
        for (const heard of talk.hear(frame)) {
          if (heard.kind === "end") this.ends++;
          else this.#count(heard.n, heard.at);
        }
      },
      pace,
    );
  }

  /** Waits for `count` events, or until nothing has come for a while after the first; never longer than `limitMs`. */
  async settle(count: number, limitMs = 90_000): Promise<void> {
    const isOver = () => {
      if (this.seen.size >= count) return true;
      return this.seen.size > 0 && performance.now() - this.reader.lastAt > QUIET_MS;
    };
    await until("events", isOver, { limitMs, everyMs: 5 }).catch(() => undefined);
  }

  /** Events a second, from the first one's making to the last one's arrival. */
  get rate(): number {
    return this.firstMadeAt === undefined
      ? Number.NaN
      : (this.seen.size / Math.max(1, this.lastHeardAt - this.firstMadeAt)) * 1000;
  }

  close(): void {
    this.reader.close();
  }

  #count(n: number, at: number | undefined): void {
    const now = Date.now();
    this.lastHeardAt = now;
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
