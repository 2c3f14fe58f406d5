import { get, type IncomingMessage } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { EventStream } from "./sse.ts";
import { startServer, type TestServer, TOKEN } from "./testing/server.harness.ts";
import { agentRow } from "./testing/services.fake.ts";

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.server.close();
});

async function start(hubOptions = {}): Promise<TestServer> {
  const server = await startServer({}, hubOptions);
  server.service.add("ses_a");
  servers.push(server);
  return server;
}

type Frame = { event: string; id?: string; data: Record<string, unknown> & { seq: number } };

/** A real connection whose reading can be held up. */
class Reader {
  readonly frames: Frame[] = [];
  comments = 0;
  ended = false;
  response: IncomingMessage | undefined;
  #rest = "";

  static async open(server: TestServer, path: string, headers: Record<string, string> = {}): Promise<Reader> {
    const reader = new Reader();
    await new Promise<void>((resolve, reject) => {
      const all = { authorization: `Bearer ${TOKEN}`, accept: "text/event-stream", ...headers };
      const request = get({ port: server.port, host: "127.0.0.1", path, headers: all, agent: false }, (response) => {
        reader.response = response;
        response.setEncoding("utf8");
        response.on("data", (text) => reader.#feed(text));
        response.on("end", () => {
          reader.ended = true;
        });
        response.on("error", () => {});
        resolve();
      });
      request.on("error", (error) => (reader.response ? undefined : reject(error)));
    });
    return reader;
  }

  get ids(): number[] {
    return this.frames.filter((frame) => frame.event === "event").map((frame) => Number(frame.id));
  }

  close(): void {
    this.response?.destroy();
  }

  #feed(text: string): void {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
      const event = field("event");
      if (event) this.frames.push({ event, id: field("id"), data: JSON.parse(field("data") ?? "") });
      else this.comments++;
    }
  }
}

const upTo = (n: number, from = 1) => Array.from({ length: n - from + 1 }, (_, i) => i + from);
const poll = { timeout: 20_000, interval: 20 };

describe("a session's stream", () => {
  it("opens at once, replays, gives the snapshot, then follows with live frames", async () => {
    const server = await start();
    server.log.append("ses_a", 3);
    server.service.openItems.set("ses_a", [{ item: "itm_1", channel: "text", text: "so far", length: 6 }]);
    const reader = await Reader.open(server, "/v1/sessions/ses_a/events?after=1");
    expect(reader.response?.headers["content-type"]).toBe("text/event-stream");
    await expect.poll(() => reader.frames.length, poll).toBe(3);
    server.hub.live({ type: "delta", session: "ses_a", item: "itm_1", channel: "text", offset: 6, text: ", äöü" });
    server.hub.committed("ses_a", server.log.append("ses_a", 2));
    await expect.poll(() => reader.frames.length, poll).toBe(6);
    expect(reader.frames.map((frame) => frame.id ?? frame.event)).toEqual(["2", "3", "snapshot", "delta", "4", "5"]);
    expect(reader.frames[2]?.data).toMatchObject({ session: "ses_a", lastSeq: 3, open: [{ text: "so far" }] });
    expect(reader.frames[3]?.data.text).toBe(", äöü");
    expect(reader.comments).toBeGreaterThan(0);
    reader.close();
    await expect.poll(() => server.hub.readers, poll).toBe(0);
  });

  it("resumes from Last-Event-ID before `after`, and starts at a tail", async () => {
    const server = await start();
    server.log.append("ses_a", 10);
    const resumed = await Reader.open(server, "/v1/sessions/ses_a/events?after=2", { "last-event-id": "7" });
    const tail = await Reader.open(server, "/v1/sessions/ses_a/events?tail=2");
    await expect
      .poll(() => [resumed.ids, tail.ids], poll)
      .toEqual([
        [8, 9, 10],
        [9, 10],
      ]);
  });

  it("is refused as JSON for a session that is not there", async () => {
    const server = await start();
    const answer = await server.ask("/v1/sessions/ses_b/events", { headers: { accept: "text/event-stream" } });
    expect([answer.status, answer.headers["content-type"]]).toEqual([404, "application/json"]);
  });

  it("ends when the session is removed", async () => {
    const server = await start();
    const reader = await Reader.open(server, "/v1/sessions/ses_a/events");
    await expect.poll(() => server.hub.readers, poll).toBe(1);
    server.hub.removed("ses_a");
    await expect.poll(() => reader.ended, poll).toBe(true);
  });

  it("sends comment lines while nothing happens", async () => {
    const server = await start({ heartbeatMs: 10 });
    const reader = await Reader.open(server, "/v1/sessions/ses_a/events");
    await expect.poll(() => reader.comments, poll).toBeGreaterThan(5);
  });
});

describe("the stream of all sessions", () => {
  it("resumes across sessions and gives a snapshot for each that has open items", async () => {
    const server = await start();
    server.service.add("ses_b");
    server.log.append("ses_a", 2);
    server.log.append("ses_b", 2);
    server.service.openItems.set("ses_b", [{ item: "itm_1", channel: "text", text: "x", length: 1 }]);
    const all = await Reader.open(server, "/v1/events", { "last-event-id": "1" });
    const named = await Reader.open(server, "/v1/events?sessions=ses_a,ses_missing");
    await expect
      .poll(() => [all.ids, named.ids], poll)
      .toEqual([
        [2, 3, 4],
        [1, 2],
      ]);
    const snapshots = (reader: Reader) =>
      reader.frames.filter((frame) => frame.event === "snapshot").map((frame) => frame.data.session);
    await expect.poll(() => snapshots(named), poll).toEqual(["ses_a", "ses_missing"]);
    expect(new Set(snapshots(all))).toEqual(new Set(["ses_b"]));
  });
});

describe("many and slow readers", () => {
  it("a reader that stops for a while gets all of 20,000 events, and memory stays flat meanwhile", async () => {
    const server = await start();
    const subscribe = vi.spyOn(server.hub, "subscribe");
    const slow = await Reader.open(server, "/v1/sessions/ses_a/events");
    const fast = await Reader.open(server, "/v1/sessions/ses_a/events");
    slow.response?.pause();
    const text = "x".repeat(1000);
    for (let i = 0; i < 200; i++) {
      server.hub.committed("ses_a", server.log.append("ses_a", 100, text));
      server.hub.live({ type: "delta", session: "ses_a", item: "itm_1", channel: "text", offset: 0, text });
      await new Promise(setImmediate);
    }
    await expect.poll(() => fast.ids.length, poll).toBe(20_000);
    // One page of 256 events at most waits in the daemon; the rest is in the log.
    expect(Math.max(...subscribe.mock.calls.map(([request]) => (request.sink as EventStream).waiting))).toBeLessThan(
      600_000,
    );
    expect(slow.ids.length).toBeLessThan(20_000);
    slow.response?.resume();
    await expect.poll(() => slow.ids.length, poll).toBe(20_000);
    expect(slow.ids).toEqual(upTo(20_000));
    expect(fast.ids).toEqual(upTo(20_000));
  });

  it("100 reconnects in the middle of it lose and repeat nothing", async () => {
    const server = await start();
    const seen: number[] = [];
    const writing = setInterval(() => server.hub.committed("ses_a", server.log.append("ses_a", 7)), 1);
    for (let i = 0; i < 100; i++) {
      const reader = await Reader.open(server, `/v1/sessions/ses_a/events?after=${seen.at(-1) ?? 0}`);
      await expect.poll(() => reader.ids.length, { ...poll, interval: 1 }).toBeGreaterThan(0);
      reader.close();
      seen.push(...reader.ids);
    }
    clearInterval(writing);
    expect(seen).toEqual(upTo(seen.length));
    await expect.poll(() => server.hub.readers, poll).toBe(0);
  });
});

describe("agents as a stream", () => {
  it("streams each row as it arrives, then reports the end", async () => {
    const server = await start();
    const reader = await Reader.open(server, "/v1/agents?refresh=1");
    await expect.poll(() => reader.ended, poll).toBe(true);
    expect(reader.frames.map((frame) => frame.event)).toEqual(["agent", "agent", "done"]);
    expect(reader.frames[0]?.data).toEqual(agentRow);
  });
});
