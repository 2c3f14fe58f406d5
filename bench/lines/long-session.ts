import { openStore } from "../../packages/runtime/src/log/sqlite/open.ts";
import { type Context, figures, type Line, onEach } from "../context.ts";
import { type GantryServer, gantry } from "../gantry.ts";
import { databaseOf, makeHistory } from "../made-history.ts";
import { median, residentMb, until } from "../measure.ts";
import { SseReader } from "../sse-reader.ts";
import type { Row } from "../table.ts";

const SESSION = "ses_bench";
const PAGE = 200;
const AGAIN = 9;

/** Opening a session whose log has grown very long. */
export const longSession: Line = {
  name: "long-session",
  async run(context) {
    const sizes = context.quick ? [20_000, 100_000] : [100_000, 1_000_000];
    const rows: Row[] = [];
    for (const size of sizes) rows.push(...(await rowsOf(context, size, size === sizes.at(-1))));
    return {
      name: "long-session",
      title: "Opening a long session",
      about:
        "A session whose log was filled through the store, in turns of 50 events. First page: the session and its last 200 events in two requests, the very first after the server's start, and the median of nine more. Replay: from the request for all events as a stream to its first event. Memory of the server after all of that. The floor is the same 200 events read from the database in-process, the first time and again.",
      rows,
    };
  },
};

async function rowsOf(context: Context, size: number, isLongest: boolean): Promise<Row[]> {
  const home = context.scratch("history");
  context.say(`long-session: making ${size.toLocaleString("en")} events …`);
  makeHistory(home, SESSION, size);
  const floor = direct(home);
  const outcomes = await onEach(context, "long-session", async () => {
    const server = await gantry.start(home);
    return measure(server).finally(() => server.stop());
  });
  const of = (what: string) => `${size.toLocaleString("en")} events: ${what}`;
  const what = "store in-process";
  const budget = isLongest ? 100 : undefined;
  return [
    {
      what: of("first page, right after start"),
      unit: "ms",
      ...figures(outcomes, ({ firstMs }) => firstMs),
      budget,
      floor: { what, value: floor.firstMs },
    },
    {
      what: of("first page, again"),
      unit: "ms",
      ...figures(outcomes, ({ againMs }) => againMs),
      floor: { what, value: floor.againMs },
    },
    { what: of("replay begins"), unit: "ms", ...figures(outcomes, ({ replayMs }) => replayMs), budget },
    {
      what: of("memory of the server"),
      unit: "MB",
      ...figures(outcomes, ({ mb }) => mb),
      budget: isLongest ? 120 : undefined,
    },
  ];
}

async function measure(server: GantryServer) {
  const { stream } = server.talk(SESSION);
  const base = stream().url.replace(/\/events$/, "");
  const open = () =>
    timed(async () => {
      for (const url of [base, `${base}/events?tail=${PAGE}`]) {
        const response = await fetch(url, { headers: server.headers });
        await response.json();
        if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      }
    });
  const firstMs = await open();
  const again: number[] = [];
  for (let i = 0; i < AGAIN; i++) again.push(await open());
  const started = performance.now();
  let heardAt = 0;
  const reader = new SseReader(stream(), () => {
    heardAt ||= performance.now();
  });
  await until("the first event", () => heardAt > 0, { everyMs: 1 });
  reader.close();
  return { firstMs, againMs: median(again), replayMs: heardAt - started, mb: residentMb(server.pid) };
}

function direct(home: string): { firstMs: number; againMs: number } {
  const store = openStore(databaseOf(home));
  const read = () => {
    const started = performance.now();
    store.sessions.get(SESSION);
    JSON.parse(`[${store.tailEvents(SESSION, PAGE).map(({ json }) => json)}]`);
    return performance.now() - started;
  };
  const firstMs = read();
  const againMs = median(Array.from({ length: AGAIN }, read));
  store.close();
  return { firstMs, againMs };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
