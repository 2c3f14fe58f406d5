import { openStore } from "../../../packages/runtime/src/log/sqlite/open.ts";
import { SseReader } from "../../client/sse-reader.ts";
import { type Context, endMarked, figures, type Line, onEach } from "../../context.ts";
import { gantry } from "../../gantry.ts";
import { databaseOf, makeHistory, SESSION } from "../../made-history.ts";
import { median, residentMb, until } from "../../measure.ts";
import type { Cell, Row } from "../../report/table.ts";
import type { Contestant, Conversation } from "../../server.ts";

/** Equal amounts: an imported answer of opencode has 49 parts. */
const PAGE = { events: 200, messages: 8 };
const AGAIN = 9;

/** Opening a session with a very long log. */
export const longSession: Line = {
  name: "long-session",
  async run(context) {
    const sizes = context.pick<number[]>({ full: [100_000, 1_000_000], quick: [20_000] });
    const rows: Row[] = [];
    for (const size of sizes) rows.push(...(await rowsOf(context, size)));
    return {
      name: "long-session",
      title: "Opening a long session",
      about:
        "A session whose log was filled beforehand, in turns of 50 events (opencode: message parts, with `opencode import`). First page: the session and its last 200 events (8 messages) in two requests; the first ones after the start of the server, and the median of nine more. Replay: from the request for all events as a stream to its first event. Memory: of the server after these requests. The floor is the same 200 events read from Gantry's database in-process, the first time and again.",
      rows,
    };
  },
};

type Opening = { firstMs: Cell; againMs: Cell; replayMs: Cell; mb: Cell };

async function rowsOf(context: Context, size: number): Promise<Row[]> {
  const made = context.scratch("store");
  context.log(`long-session: making ${size.toLocaleString("en")} events …`);
  makeHistory(made, size);
  const floor = measureStore(made);
  const outcomes = await onEach(context, "long-session", (contestant) =>
    contestant.name === gantry.name ? measure(contestant, made, SESSION) : fillAndMeasure(context, contestant, size),
  );
  const of = (what: string) => `${size.toLocaleString("en")}: ${what}`;
  const pick = (key: keyof Opening) => figures(outcomes, (opening) => opening[key]);
  const what = "store in-process";
  return [
    {
      what: of("first page after start"),
      unit: "ms",
      ...pick("firstMs"),
      budget: 100,
      floor: { what, value: floor.firstMs },
    },
    { what: of("first page, again"), unit: "ms", ...pick("againMs"), floor: { what, value: floor.againMs } },
    { what: of("replay begins"), unit: "ms", ...pick("replayMs"), budget: 100 },
    { what: of("memory of the server"), unit: "MB", ...pick("mb"), budget: 120 },
  ];
}

async function fillAndMeasure(context: Context, contestant: Contestant, size: number): Promise<Opening> {
  const { history, cannot } = contestant;
  if (!history) return unavailable(cannot.history ?? "it has no import");
  if (size > history.most) return unavailable("too long to import");
  const home = context.scratch(contestant.name);
  return measure(contestant, home, history.make(home, size));
}

async function measure(contestant: Contestant, home: string, session: string): Promise<Opening> {
  const { cannot } = contestant;
  const server = await contestant.start(home);
  try {
    const conversation = server.reopen(session);
    if (!conversation) return unavailable("the session does not exist after the start");
    const firstMs = await measureMs(() => conversation.page(PAGE));
    const again: number[] = [];
    for (let i = 0; i < AGAIN; i++) again.push(await measureMs(() => conversation.page(PAGE)));
    const replayMs = cannot.replay ? { cannot: cannot.replay } : await replay(conversation);
    return { firstMs, againMs: median(again), replayMs, mb: residentMb(server.pid) };
  } finally {
    await server.stop();
    endMarked(server.mark);
  }
}

function unavailable(why: string): Opening {
  const cannot = { cannot: why };
  return { firstMs: cannot, againMs: cannot, replayMs: cannot, mb: cannot };
}

async function replay(conversation: Conversation): Promise<number> {
  const started = performance.now();
  let receivedAt = 0;
  const reader = new SseReader(conversation.stream(), () => {
    receivedAt ||= performance.now();
  });
  await until("the first event", () => receivedAt > 0, { everyMs: 1 });
  reader.close();
  return receivedAt - started;
}

function measureStore(home: string): { firstMs: number; againMs: number } {
  const store = openStore(databaseOf(home));
  const read = () => {
    const started = performance.now();
    store.sessions.get(SESSION);
    JSON.parse(`[${store.tailEvents(SESSION, PAGE.events).map(({ json }) => json)}]`);
    return performance.now() - started;
  };
  const firstMs = read();
  const againMs = median(Array.from({ length: AGAIN }, read));
  store.close();
  return { firstMs, againMs };
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
