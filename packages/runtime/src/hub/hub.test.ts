import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { comment, encodeFrame } from "./frames.ts";
import { Hub } from "./hub.ts";
import { MemoryLog } from "./memory-log.fake.ts";
import type { Sink } from "./subscriber.ts";

const A = "ses_a";
const B = "ses_b";

/** Keeps what it is given; takes `capacity` chunks and is then backed up until it is drained. */
class CollectingSink implements Sink {
  text = "";
  ended = false;
  #room: number;

  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.#room = capacity;
  }

  write(chunk: Uint8Array): boolean {
    this.text += Buffer.from(chunk).toString();
    this.#room--;
    return this.#room > 0;
  }

  end(): void {
    this.ended = true;
  }

  drain(capacity: number): void {
    this.#room = capacity;
  }

  get frames(): { event: string; id?: number; data: { seq: number; session: string } & Record<string, unknown> }[] {
    return this.text.split("\n\n").flatMap((block) => {
      const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
      const event = field("event");
      if (!event) return [];
      const id = field("id");
      return [{ event, id: id === undefined ? undefined : Number(id), data: JSON.parse(field("data") ?? "null") }];
    });
  }

  get numbers(): (number | undefined)[] {
    return this.frames.filter((frame) => frame.event === "event").map((frame) => frame.id);
  }
}

const settlePromises = () => new Promise<void>((done) => setImmediate(() => setImmediate(done)));
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const delta = (session: string, text: string) =>
  ({ type: "delta", session, item: "itm_1", channel: "text", offset: 0, text }) as const;

describe("one session", () => {
  it("replays after the given number, gives the snapshot once, then follows", async () => {
    const log = new MemoryLog();
    const hub = new Hub(log);
    log.append(A, 5);
    const sink = new CollectingSink();
    hub.subscribe({
      kind: "session",
      session: A,
      after: 2,
      sink,
      snapshots: () => [encodeFrame("snapshot", { open: [] })],
    });
    hub.committed(A, log.append(A, 2));
    hub.committed(B, log.append(B, 1));
    await settlePromises();
    expect(sink.frames.map((frame) => frame.id ?? frame.event)).toEqual([3, 4, 5, "snapshot", 6, 7]);
    expect(sink.frames.every((frame) => frame.event !== "event" || frame.data.seq === frame.id)).toBe(true);
  });

  it.each(["session", "all"] as const)(
    "sends the frames of a step in order, though the log has all of its events, to a reader of %s",
    async (kind) => {
      const log = new MemoryLog();
      const early = log.append(A, 2);
      // A new daemon has published nothing yet.
      const hub = new Hub(log);
      const sink = new CollectingSink();
      hub.subscribe(kind === "all" ? { kind, after: 0, sink } : { kind, session: A, after: 0, sink });
      expect(sink.numbers).toEqual(early.map(({ seq }) => seq));
      const [third, ...rest] = log.append(A, 3);
      hub.live(delta(A, "before"));
      hub.committed(A, [third!]);
      hub.live(delta(A, "between"));
      hub.committed(A, rest);
      await settlePromises();
      expect(sink.frames.map(({ id, data }) => id ?? data.text)).toEqual([1, 2, "before", 3, "between", 4, 5]);
    },
  );

  it("sends a committed event before a live frame that came after it, and the other way round", async () => {
    const log = new MemoryLog();
    const hub = new Hub(log);
    const sink = new CollectingSink();
    hub.subscribe({ kind: "session", session: A, after: 0, sink });
    hub.live(delta(A, "before"));
    hub.committed(A, log.append(A));
    hub.live(delta(A, "after"));
    hub.live(delta(B, "of another session"));
    await settlePromises();
    expect(sink.frames.map((frame) => frame.data.text ?? frame.id)).toEqual(["before", 1, "after"]);
  });

  it("reports the range that cannot be replayed", () => {
    const log = new MemoryLog();
    log.append(A, 10);
    log.drop(A, 3, 6);
    const sink = new CollectingSink();
    new Hub(log).subscribe({ kind: "session", session: A, after: 0, sink });
    const gap = sink.frames.find((frame) => frame.event === "gap");
    expect(gap?.data).toEqual({ type: "gap", session: A, from: 3, to: 6 });
    expect(sink.numbers).toEqual([1, 2, 7, 8, 9, 10]);
  });

  it("waits when asked for what lies beyond the end", async () => {
    const log = new MemoryLog();
    const hub = new Hub(log);
    log.append(A, 2);
    const sink = new CollectingSink();
    hub.subscribe({ kind: "session", session: A, after: 4, sink });
    hub.committed(A, log.append(A, 4));
    await settlePromises();
    expect(sink.numbers).toEqual([5, 6]);
  });

  it("gives what was committed before the removal, then ends the stream", () => {
    const log = new MemoryLog();
    const hub = new Hub(log);
    const [sink, other] = [new CollectingSink(), new CollectingSink()];
    hub.subscribe({ kind: "session", session: A, after: 0, sink });
    hub.subscribe({ kind: "all", after: 0, sink: other });
    hub.committed(A, log.append(A));
    log.drop(A);
    hub.removed(A);
    expect([sink.numbers, sink.ended]).toEqual([[1], true]);
    expect([other.numbers, other.ended, hub.readers]).toEqual([[1], false, 1]);
    expect(other.text).toContain("event: removed");
  });
});

describe("all sessions", () => {
  it("numbers by row and narrows to the sessions that were named", async () => {
    const log = new MemoryLog();
    const hub = new Hub(log);
    log.append(A, 2);
    log.append(B, 2);
    const [all, onlyB] = [new CollectingSink(), new CollectingSink()];
    hub.subscribe({ kind: "all", after: 1, sink: all });
    hub.subscribe({ kind: "all", after: 0, sessions: [B], sink: onlyB });
    hub.committed(A, log.append(A));
    hub.committed(B, log.append(B));
    hub.live(delta(A, "only for all"));
    await settlePromises();
    expect(all.numbers).toEqual([2, 3, 4, 5, 6]);
    expect(onlyB.numbers).toEqual([3, 4, 6]);
    expect(onlyB.frames.some((frame) => frame.event === "delta")).toBe(false);
  });

  it("starts from now when asked for what lies beyond the end", async () => {
    const log = new MemoryLog();
    const hub = new Hub(log);
    log.append(A, 3);
    const sink = new CollectingSink();
    hub.subscribe({ kind: "all", after: Number.MAX_SAFE_INTEGER, sink });
    hub.committed(A, log.append(A));
    await settlePromises();
    expect(sink.numbers).toEqual([4]);
  });
});

describe("back-pressure", () => {
  it("reads no further page and skips live frames until the sink is drained", async () => {
    const log = new MemoryLog();
    const hub = new Hub(log);
    log.append(A, 1000);
    const sink = new CollectingSink(1);
    const subscription = hub.subscribe({ kind: "session", session: A, after: 0, sink });
    const first = sink.numbers.length;
    const reads = log.reads;
    hub.committed(A, log.append(A, 500));
    hub.live(delta(A, "skipped"));
    await settlePromises();
    expect(first).toBeLessThan(1000);
    expect([sink.numbers.length, log.reads]).toEqual([first, reads]);
    sink.drain(Number.POSITIVE_INFINITY);
    subscription.resume();
    await settlePromises();
    expect(sink.numbers).toEqual(upTo(1500));
    expect(sink.text).not.toContain("skipped");
  });

  it("serves readers at the head without looking into the log", async () => {
    const log = new MemoryLog();
    const hub = new Hub(log);
    const sinks = Array.from({ length: 50 }, () => new CollectingSink());
    for (const sink of sinks) hub.subscribe({ kind: "session", session: A, after: 0, sink });
    const reads = log.reads;
    for (let i = 0; i < 20; i++) {
      hub.committed(A, log.append(A, 10));
      await settlePromises();
    }
    for (const sink of sinks) expect(sink.numbers).toEqual(upTo(200));
    expect(log.reads).toBe(reads);
  });
});

describe("every reader gets every event once and in order", () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant("commit" as const),
      session: fc.constantFrom(A, B),
      count: fc.integer({ min: 1, max: 400 }),
    }),
    fc.record({ do: fc.constant("live" as const), session: fc.constantFrom(A, B) }),
    fc.record({
      do: fc.constant("subscribe" as const),
      kind: fc.constantFrom("session", "all", "named"),
      after: fc.nat(300),
    }),
    fc.record({ do: fc.constant("drain" as const), reader: fc.nat(5), room: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constant("announce late" as const), session: fc.constantFrom(A, B) }),
    fc.record({ do: fc.constantFrom("turn" as const, "release" as const) }),
  );

  it("whatever happens in between", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(0, 4_000, 2_000_000),
        async (steps, limit) => {
          const log = new MemoryLog();
          const hub = new Hub(log, { recentLimit: limit });
          const readers: { sink: CollectingSink; resume(): void; after: number; expected: () => number[] }[] = [];
          const late: Parameters<Hub["committed"]>[] = [];
          const announceLate = () => {
            for (const args of late.splice(0)) hub.committed(...args);
          };
          for (const s of steps) {
            if (s.do === "commit") {
              announceLate();
              hub.committed(s.session, log.append(s.session, s.count));
            }
            if (s.do === "announce late") late.push([s.session, log.append(s.session, 3)]);
            if (s.do === "live") hub.live(delta(s.session, "x"));
            if (s.do === "turn") await settlePromises();
            if (s.do === "release") hub.releaseMemory();
            if (s.do === "drain" && readers[s.reader]) {
              readers[s.reader]?.sink.drain(s.room);
              readers[s.reader]?.resume();
            }
            if (s.do === "subscribe") {
              const sink = new CollectingSink(2);
              const sessions = s.kind === "named" ? [B] : undefined;
              const after = Math.min(s.after, s.kind === "session" ? log.lastSeq(A) : log.lastId());
              const subscription =
                s.kind === "session"
                  ? hub.subscribe({ kind: "session", session: A, after, sink })
                  : hub.subscribe({ kind: "all", sessions, after, sink });
              const expected = () =>
                s.kind === "session"
                  ? log.readEvents(A, after, 1e6).map((row) => row.seq)
                  : log.readAll(after, 1e6, sessions).map((row) => row.id);
              readers.push({ sink, resume: subscription.resume, after, expected });
            }
          }
          announceLate();
          for (const reader of readers) {
            reader.sink.drain(Number.POSITIVE_INFINITY);
            reader.resume();
          }
          for (let i = 0; i < 12; i++) await settlePromises();
          for (const reader of readers) expect(reader.sink.numbers).toEqual(reader.expected());
        },
      ),
      { numRuns: 150 },
    );
  });
});

it("sends a comment line at the interval, and stops when the last reader has gone", () => {
  vi.useFakeTimers();
  const hub = new Hub(new MemoryLog(), { heartbeatMs: 15_000 });
  const sink = new CollectingSink();
  const subscription = hub.subscribe({ kind: "session", session: A, after: 0, sink });
  vi.advanceTimersByTime(45_000);
  expect(sink.text).toBe(comment().toString().repeat(3));
  subscription.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
