import { draft, type Envelope } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { type LoadPage, TranscriptWindow } from "./window.ts";

const event = (seq: number): Envelope =>
  ({
    v: 1,
    session: "ses_1",
    seq,
    at: "2026-01-01T00:00:00.000Z",
    ...draft("notice", { kind: "x", severity: "info", text: `event ${seq}` }),
  }) as Envelope;

/** A growing log whose pages are delivered on demand. */
class Log {
  length: number;
  readonly asked: object[] = [];
  broken = false;
  held: (() => void)[] = [];
  hold = false;

  constructor(length: number) {
    this.length = length;
  }

  load: LoadPage = async (query) => {
    this.asked.push(query);
    if (this.broken) throw new Error("away");
    const after = query.tail === undefined ? (query.after ?? 0) : Math.max(0, this.length - query.tail);
    const to = Math.min(this.length, after + (query.limit ?? query.tail ?? 0));
    const events = Array.from({ length: Math.max(0, to - after) }, (_, index) => event(after + index + 1));
    const page = { events, lastSeq: this.length };
    if (this.hold) await new Promise<void>((resolve) => this.held.push(resolve));
    return page;
  };

  release(): void {
    for (const go of this.held.splice(0)) go();
  }
}

const place = (window: TranscriptWindow) => {
  const { range } = window.state.get();
  return [range[0]?.seq, range.at(-1)?.seq];
};
const isContiguous = (window: TranscriptWindow) => {
  const { range } = window.state.get();
  return range.every((one, index) => index === 0 || one.seq === (range[index - 1]?.seq ?? 0) + 1);
};

describe("a window", () => {
  it("starts with the tail and loads back to the start page by page", async () => {
    const log = new Log(1000);
    const window = new TranscriptWindow(log.load);
    await window.loadLatest();
    expect(place(window)).toEqual([851, 1000]);
    for (let page = 0; page < 8 && !window.atStart; page++) await window.loadOlder();
    expect(place(window)).toEqual([1, 1000]);
    expect([window.atStart, window.atEnd, isContiguous(window)]).toEqual([true, true, true]);
  });

  it("limits its number of events and keeps those that are being read", async () => {
    const log = new Log(20_000);
    const window = new TranscriptWindow(log.load);
    await window.loadLatest();
    window.following = false;
    while (!window.atStart) {
      await window.loadOlder();
      expect(window.state.get().range.length).toBeLessThanOrEqual(3000);
      expect(isContiguous(window)).toBe(true);
    }
    expect([place(window), window.atEnd]).toEqual([[1, 3000], false]);
    await window.loadNewer();
    expect(place(window)).toEqual([201, 3200]);
    await window.loadLatest();
    expect([place(window), window.atEnd]).toEqual([[19_851, 20_000], true]);
  });

  it("adds events that arrive while a page is loading, once and in order", async () => {
    const log = new Log(500);
    log.hold = true;
    const window = new TranscriptWindow(log.load);
    const loading = window.loadLatest();
    await expect.poll(() => log.held.length).toBe(1);
    log.length = 503;
    for (const seq of [501, 502, 503]) window.take(event(seq));
    log.hold = false;
    log.release();
    await loading;
    expect([place(window), isContiguous(window)]).toEqual([[351, 503], true]);
    window.take(event(503));
    window.take(event(504));
    expect(place(window)).toEqual([351, 504]);
  });

  it("fetches the events missing before a new one", async () => {
    const log = new Log(100);
    const window = new TranscriptWindow(log.load);
    await window.loadLatest();
    log.length = 110;
    window.take(event(110));
    await expect.poll(() => place(window)).toEqual([1, 110]);
    expect(isContiguous(window)).toBe(true);
  });

  it("defers new events when it is full and the user is not at the end", async () => {
    const log = new Log(5000);
    const window = new TranscriptWindow(log.load);
    await window.loadLatest();
    window.following = false;
    for (let page = 0; page < 16; page++) await window.loadOlder();
    const read = place(window);
    window.take(event(5001));
    expect(place(window)).toEqual(read);
    expect([window.atEnd, window.state.get().end]).toEqual([false, 5001]);
  });

  it("drops the oldest events while the user is at the end", async () => {
    const log = new Log(10);
    const window = new TranscriptWindow(log.load);
    await window.loadLatest();
    for (let seq = 11; seq <= 5000; seq++) window.take(event(seq));
    expect(window.state.get().range.length).toBeLessThanOrEqual(3402);
    expect([place(window)[1], isContiguous(window), window.atEnd]).toEqual([5000, true, true]);
  });

  it("jumps to an event and does not reload one that it contains", async () => {
    const log = new Log(100_000);
    const window = new TranscriptWindow(log.load);
    await window.jump(50_000);
    expect(place(window)).toEqual([49_901, 50_100]);
    await window.jump(50_001);
    expect(log.asked).toHaveLength(1);
    await window.jump(1);
    expect(place(window)).toEqual([1, 200]);
  });

  it("reports a failed page, keeps its events and retries", async () => {
    const log = new Log(1000);
    const window = new TranscriptWindow(log.load);
    await window.loadLatest();
    log.broken = true;
    await window.loadOlder();
    expect([place(window), window.state.get().failure]).toEqual([[851, 1000], new Error("away")]);
    log.broken = false;
    await window.loadOlder();
    expect([place(window), window.state.get().failure]).toEqual([[651, 1000], undefined]);
  });
});
