import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { draft, type Envelope } from "@gantry/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Hub } from "../hub/hub.ts";
import type { Store } from "../log/port.ts";
import { openStore } from "../log/sqlite/open.ts";
import { startServer, type TestServer } from "./testing/server.harness.ts";

const folder = mkdtempSync(join(tmpdir(), "gantry-store-"));
const [A, B] = ["ses_a", "ses_b"];
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const poll = { timeout: 30_000, interval: 20 };
let store: Store;
let hub: Hub;
let server: TestServer;

beforeAll(async () => {
  store = openStore(join(folder, "gantry.db"));
  hub = new Hub(store);
  server = await startServer({ log: store, hub });
  for (const id of [A, B]) server.service.add(id);
});
afterAll(async () => {
  await server.server.close();
  store.close();
  rmSync(folder, { recursive: true });
});

/** Commits to the real store and announces, as the runner does. */
function commit(session: string, count: number): void {
  const first = store.lastSeq(session) + 1;
  const events = Array.from({ length: count }, (_, i) => {
    const seq = first + i;
    const one =
      seq === 1
        ? draft("session.created", { agent: "scripted", mode: "ask", cwd: "/tmp", title: session, origin: "api" })
        : draft("notice", { kind: "test", severity: "info", text: `event ${seq} of ${session} — ü` });
    return { v: 1, session, seq, at: "2026-01-01T00:00:00.000Z", ...one } as Envelope;
  });
  hub.committed(session, store.commit({ session, events }));
}

async function ids(path: string, count: number): Promise<number[]> {
  const response = await fetch(new URL(path, server.url), {
    headers: { authorization: server.authorization, accept: "text/event-stream" },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const found: number[] = [];
  let rest = "";
  while (found.length < count) {
    const read = await reader?.read();
    if (!read || read.done) break;
    const blocks = (rest + read.value).split("\n\n");
    rest = blocks.pop() ?? "";
    found.push(...blocks.flatMap((block) => block.match(/^id: (\d+)$/m)?.[1] ?? []).map(Number));
  }
  await reader?.cancel();
  return found;
}

it("replays and follows 20,000 events of the real store, for one session and for all, while they are committed", async () => {
  commit(A, 1);
  commit(B, 1);
  const one = ids("/v1/sessions/ses_a/events", 20_000);
  const all = ids("/v1/events", 20_400);
  for (let i = 0; i < 200; i++) {
    commit(A, i === 0 ? 99 : 100);
    if (i % 10 === 0) commit(B, 20);
    await new Promise(setImmediate);
  }
  const late = await ids("/v1/sessions/ses_a/events?after=15000", 5000);
  expect(await one).toEqual(numbers(20_000));
  expect((await all).slice(0, 20_400)).toEqual(numbers(20_400));
  expect(late).toEqual(numbers(20_000).slice(15_000));
  await expect.poll(() => hub.readers, poll).toBe(0);
});

it("gives pages, tail, search and usage of the real store in the shapes of the API", async () => {
  const { json } = await server.ask("/v1/sessions/ses_a/events?tail=2");
  expect(json).toMatchObject({ lastSeq: 20_000, events: [{ seq: 19_999 }, { seq: 20_000 }] });
  expect((await server.ask("/v1/search?q=nothing-has-this")).json).toEqual({ hits: [] });
  expect((await server.ask("/v1/usage?by=agent")).json).toMatchObject({ rows: [], total: { turns: 0 } });
});
