import type { LiveFrame } from "@gantry/protocol";
import type { StoredEvent } from "../log/port.ts";
import type { Publisher } from "../session/api.ts";
import { AllCursor, type Cursor, SessionCursor } from "./cursor.ts";
import { comment, liveFrame } from "./frames.ts";
import { Batch, type Numbering, RecentBatches } from "./recent.ts";
import type { LogSource } from "./source.ts";
import { type Sink, Subscriber } from "./subscriber.ts";

/**
 * What a reader asks for. One session: frames are numbered by `seq`. All sessions, or those named: by row id.
 * `snapshots` is asked once, when the replay has reached the end of the log; its frames go out at that place.
 */
export type SubscribeRequest = (
  | { kind: "session"; session: string; after: number }
  | { kind: "all"; sessions?: readonly string[]; after: number }
) & { sink: Sink; snapshots?: () => Uint8Array[] };

/** The reader's end of it. Call `resume` when the sink takes bytes again, `close` when the reader has gone. */
export type Subscription = { resume(): void; close(): void };

export type HubOptions = { heartbeatMs?: number; recentLimit?: number };

/**
 * Fan-out without a buffer per reader: a reader is a cursor, the hub wakes it and it reads on from the log. Each reader
 * gets every event exactly once and in order, however slow it is; live frames it may miss.
 */
export class Hub implements Publisher {
  readonly #source: LogSource;
  readonly #recent: RecentBatches;
  readonly #heartbeatMs: number;
  readonly #subscribers = new Set<Subscriber>();
  readonly #woken = new Set<Subscriber>();
  readonly #seqHeads = new Map<string, number>();
  #idHead: number | undefined;
  #flushing: NodeJS.Immediate | undefined;
  #pulse: NodeJS.Timeout | undefined;

  constructor(source: LogSource, options: HubOptions = {}) {
    this.#source = source;
    this.#recent = new RecentBatches(options.recentLimit);
    this.#heartbeatMs = options.heartbeatMs ?? 15_000;
  }

  /** How many readers there are. */
  get readers(): number {
    return this.#subscribers.size;
  }

  /** Starts writing to the sink immediately. */
  subscribe(request: SubscribeRequest): Subscription {
    this.#findHeads(request);
    const subscriber = new Subscriber(this.#cursor(request), request.sink, request.snapshots ?? (() => []));
    this.#subscribers.add(subscriber);
    this.#pulse ??= setInterval(() => this.#beat(), this.#heartbeatMs).unref();
    subscriber.pump();
    return { resume: () => subscriber.resume(), close: () => this.#leave(subscriber) };
  }

  committed(session: string, rows: StoredEvent[]): void {
    if (rows.length === 0) return;
    const numberings = new Set<Numbering>();
    for (const subscriber of this.#subscribers) {
      if (!subscriber.cursor.wants(session)) continue;
      this.#woken.add(subscriber);
      numberings.add(subscriber.cursor.numbering);
    }
    const batch = new Batch(rows, numberings);
    this.#recent.add(batch);
    this.#seqHeads.set(session, batch.last.seq);
    this.#idHead = Math.max(this.#idHead ?? 0, batch.last.id);
    // Later in this turn of the event loop more may be committed: one write for all of it.
    if (this.#woken.size > 0) this.#flushing ??= setImmediate(() => this.#flush());
  }

  live(frame: LiveFrame): void {
    let encoded: Buffer | undefined;
    for (const subscriber of this.#subscribers) {
      if (!subscriber.cursor.wants(frame.session)) continue;
      encoded ??= liveFrame(frame);
      subscriber.live(encoded);
    }
  }

  /** Drops what can be read from the log again. */
  releaseMemory(): void {
    this.#recent.clear();
  }

  /** Readers of the session get the remaining commits, then their streams end. Other readers get a notification. */
  removed(session: string): void {
    this.#flush();
    this.live({ type: "removed", session });
    this.#recent.forget(session);
    this.#seqHeads.delete(session);
    for (const subscriber of this.#subscribers) {
      if (subscriber.cursor.only !== session) continue;
      subscriber.end(comment("the session was removed"));
      this.#leave(subscriber);
    }
  }

  /** Ends every stream. */
  close(): void {
    this.#flush();
    for (const subscriber of this.#subscribers) {
      subscriber.end(comment("the daemon is stopping"));
      this.#leave(subscriber);
    }
  }

  /** Commits are published in the same turn of the event loop, so everything in the log is published at this moment. */
  #findHeads(request: SubscribeRequest): void {
    if (request.kind === "all") this.#idHead ??= this.#source.lastId();
    else if (!this.#seqHeads.has(request.session))
      this.#seqHeads.set(request.session, this.#source.lastSeq(request.session));
  }

  #cursor(request: SubscribeRequest): Cursor {
    const heads = { seq: (session: string) => this.#seqHeads.get(session) ?? 0, id: () => this.#idHead ?? 0 };
    if (request.kind === "session")
      return new SessionCursor(request.session, request.after, this.#source, this.#recent, heads);
    return new AllCursor(request.sessions, request.after, this.#source, this.#recent, heads);
  }

  #flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const woken = [...this.#woken];
    this.#woken.clear();
    for (const subscriber of woken) subscriber.pump();
  }

  #beat(): void {
    const line = comment();
    for (const subscriber of this.#subscribers) subscriber.heartbeat(line);
  }

  #leave(subscriber: Subscriber): void {
    subscriber.close();
    this.#woken.delete(subscriber);
    if (!this.#subscribers.delete(subscriber) || this.#subscribers.size > 0) return;
    clearInterval(this.#pulse);
    this.#pulse = undefined;
  }
}
