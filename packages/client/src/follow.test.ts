import { afterEach, describe, expect, it } from "vitest";
import { startServer, type TestServer, TOKEN } from "../../runtime/src/server/testing/server.harness.ts";
import { type Client, createClient } from "./client.ts";
import type { AllFrame, Frame, Reconnect } from "./follow.ts";

const servers: TestServer[] = [];
const stops: AbortController[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  for (const server of servers.splice(0)) await server.server.close();
});

async function start(): Promise<TestServer> {
  const server = await startServer();
  server.service.add("ses_a");
  servers.push(server);
  return server;
}

const poll = { timeout: 20_000, interval: 10 };
const upTo = (n: number, from = 1) => Array.from({ length: n - from + 1 }, (_, i) => i + from);
const seqs = (frames: (Frame | AllFrame)[]) => frames.flatMap((frame) => ("event" in frame ? [frame.event.seq] : []));
const gaps = (frames: Frame[]) => frames.flatMap((frame) => ("gap" in frame ? [[frame.gap.from, frame.gap.to]] : []));

/** Follows in the background and collects the frames. */
function collect<F>(open: (signal: AbortSignal) => AsyncIterable<F>): { frames: F[]; done: Promise<unknown> } {
  const stop = new AbortController();
  stops.push(stop);
  const frames: F[] = [];
  const done = (async () => {
    for await (const frame of open(stop.signal)) frames.push(frame);
  })().catch((error: unknown) => error);
  return { frames, done };
}

describe("following a session", () => {
  it("yields replay, snapshot, live frames and events", async () => {
    const server = await start();
    const client = createClient({ url: server.url, token: TOKEN });
    server.log.append("ses_a", 3);
    const { frames } = collect((signal) => client.follow("ses_a", { after: 1, signal }));
    await expect.poll(() => frames.length, poll).toBe(3);
    server.hub.live({ type: "activity", session: "ses_a", state: "thinking" });
    server.hub.committed("ses_a", server.log.append("ses_a"));
    await expect
      .poll(() => frames.map((frame) => Object.keys(frame)[0]), poll)
      .toEqual(["event", "event", "snapshot", "live", "event"]);
    expect(seqs(frames)).toEqual([2, 3, 4]);
  });

  it("resumes after the daemon restarts on another port", async () => {
    let server = await start();
    const log = server.log;
    log.append("ses_a", 10);
    const reconnects: Reconnect[] = [];
    const client = createClient({ resolve: () => ({ url: server.url, token: TOKEN }) });
    const onReconnect = (reconnect: Reconnect) => reconnects.push(reconnect);
    const { frames } = collect((signal) => client.follow("ses_a", { signal, onReconnect, backoffMs: 5 }));
    for (let life = 1; life <= 5; life++) {
      await expect.poll(() => seqs(frames).length, poll).toBe(life * 10);
      await server.server.close();
      log.append("ses_a", 10);
      server = await start();
      server.log.rows = log.rows;
    }
    await expect.poll(() => seqs(frames), poll).toEqual(upTo(60));
    expect(reconnects.length).toBeGreaterThanOrEqual(5);
  });

  it("ends when the caller stops listening, and closes the connection", async () => {
    const server = await start();
    const client = createClient({ url: server.url, token: TOKEN });
    server.log.append("ses_a", 3);
    for await (const frame of client.follow("ses_a")) if ("event" in frame && frame.event.seq === 2) break;
    await expect.poll(() => server.hub.readers, poll).toBe(0);
  });

  it("throws when a retry cannot help", async () => {
    const server = await start();
    const missing = collect((signal) => createClient({ url: server.url, token: TOKEN }).follow("ses_none", { signal }));
    expect(await missing.done).toMatchObject({ code: "no_such_session" });
    const wrong = collect((signal) => createClient({ url: server.url, token: "wrong" }).follow("ses_a", { signal }));
    expect(await wrong.done).toMatchObject({ code: "unauthorized" });
  });

  it("treats a silent connection as dead", async () => {
    const server = await start();
    server.log.append("ses_a", 1);
    const reconnects: Reconnect[] = [];
    const client = createClient({ url: server.url, token: TOKEN });
    const { frames } = collect((signal) =>
      client.follow("ses_a", {
        signal,
        idleMs: 200,
        backoffMs: 1,
        onReconnect: (reconnect) => reconnects.push(reconnect),
      }),
    );
    await expect.poll(() => [seqs(frames), reconnects.length > 2], poll).toEqual([[1], true]);
  });
});

describe("a faulty stream", () => {
  const envelope = (seq: number) => ({
    v: 1,
    session: "ses_a",
    seq,
    at: "2026-01-01T00:00:00.000Z",
    type: "notice",
    data: {},
  });

  /** A daemon whose every answer is scripted: streams in order, and JSON from its list of events. */
  function scriptedClient(streams: string[][], has: number[]): Client {
    const fetch = async (input: URL | RequestInfo, init?: RequestInit) => {
      const after = Number(new URL(String(input)).searchParams.get("after"));
      if (new Headers(init?.headers).get("accept") === "application/json")
        return Response.json({ events: has.filter((seq) => seq > after).map(envelope), lastSeq: 9 });
      const frames = streams.shift();
      if (!frames) return Response.json({ error: { code: "no_such_session", message: "over" } }, { status: 404 });
      return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
    };
    return createClient({ url: "http://127.0.0.1:1", fetch });
  }
  const event = (seq: number) => `event: event\nid: ${seq}\ndata: ${JSON.stringify(envelope(seq))}\n\n`;
  const run = async (streams: string[][], has: number[], after = 0) => {
    const { frames, done } = collect((signal) =>
      scriptedClient(streams, has).follow("ses_a", { signal, after, backoffMs: 1 }),
    );
    await done;
    return frames;
  };

  it("drops events that it has already delivered", async () => {
    expect(
      seqs(
        await run(
          [
            [event(1), event(2), event(1)],
            [event(2), event(3)],
          ],
          [],
        ),
      ),
    ).toEqual([1, 2, 3]);
  });

  it("fetches events that the stream left out", async () => {
    const frames = await run([[event(1), event(5)]], [1, 2, 3, 4, 5]);
    expect([seqs(frames), gaps(frames)]).toEqual([[1, 2, 3, 4, 5], []]);
  });

  it("reports missing events as a gap, once", async () => {
    const frames = await run([[event(1), event(6)]], [1, 3, 6]);
    expect([seqs(frames), gaps(frames)]).toEqual([
      [1, 3, 6],
      [
        [2, 2],
        [4, 5],
      ],
    ]);
    const gap = `event: gap\ndata: {"type":"gap","session":"ses_a","from":2,"to":3}\n\n`;
    const again = await run([[event(1), gap, event(4)]], []);
    expect([seqs(again), gaps(again)]).toEqual([[1, 4], [[2, 3]]]);
  });

  it("continues from the end of a log that is shorter than its position", async () => {
    const snapshot = `event: snapshot\ndata: {"type":"snapshot","session":"ses_a","lastSeq":2,"open":[]}\n\n`;
    const frames = await run([[snapshot], [event(3)]], [], 8);
    expect([seqs(frames), gaps(frames)]).toEqual([[3], [[3, 8]]]);
  });
});

describe("following all sessions", () => {
  it("resumes by its cursor and can be narrowed to some sessions", async () => {
    const server = await start();
    server.service.add("ses_b");
    const client = createClient({ url: server.url, token: TOKEN });
    server.log.append("ses_a", 2);
    const after = await client.cursor();
    server.log.append("ses_b", 2);
    const all = collect((signal) => client.followAll({ after, signal }));
    const named = collect((signal) => client.followAll({ sessions: ["ses_a"], signal }));
    await expect
      .poll(() => [seqs(all.frames), seqs(named.frames)], poll)
      .toEqual([
        [1, 2],
        [1, 2],
      ]);
    const events = all.frames.filter((frame) => "event" in frame);
    expect(events.map((frame) => [frame.event.session, frame.cursor])).toEqual([
      ["ses_b", "3"],
      ["ses_b", "4"],
    ]);
  });
});
