import { setTimeout as sleep } from "node:timers/promises";
import { freePort, NODE, startServer } from "../../child.ts";
import { type Context, figures, inRounds, type Line, type Outcome } from "../../context.ts";
import { gantry } from "../../gantry.ts";
import { median, residentMb } from "../../measure.ts";
import type { Server } from "../../server.ts";

type Start = { readyMs: number; listedMs?: number; idleMb?: number };
type Started = Pick<Server, "pid" | "readyMs" | "stop" | "list">;

const IDLE_MS = 5_000;
const EMPTY_SERVER = "require('node:http').createServer((q,s)=>s.end('ok')).listen(+process.argv[1],'127.0.0.1')";
const FLOOR = "empty Node server";

/** The start time and the idle memory. */
export const ready: Line = {
  name: "ready",
  async run(context) {
    const [runs, idleRuns] = context.pick({ full: [10, 3], quick: [3, 1] });
    const cold = await coldStart(context);
    const enter = (name: string, start: () => Promise<Started>) => {
      let run = 0;
      const rounds = name === "opencode" ? 4 : runs + 1;
      return { name, rounds, run: async () => measure(await start(), ++run > rounds - idleRuns) };
    };
    const starts = await inRounds(context, "ready", runs + 1, [
      ...[gantry, ...context.peers].map(({ name, start }) => enter(name, () => start(context.scratch(name)))),
      enter(FLOOR, () => emptyServer(context.scratch("empty"))),
    ]);
    const { [FLOOR]: empty, ...outcomes } = Object.fromEntries(
      Object.entries(starts).map(([name, outcome]) => [name, combine(outcome)]),
    );
    const floor = (key: keyof Start) => ({
      floor: { what: FLOOR, value: empty && "result" in empty ? (empty.result[key] ?? Number.NaN) : Number.NaN },
    });
    const time = figures(outcomes, ({ readyMs }) => readyMs);
    const listed = figures(outcomes, ({ listedMs }) => listedMs ?? Number.NaN);
    const memory = figures(outcomes, ({ idleMb }) => idleMb ?? Number.NaN);
    return {
      name: "ready",
      title: "Ready and idle",
      about: `From the start of the process to the first successful HTTP response, median of ${runs} starts (3 for opencode) in which all take turns, with Node's compile cache warm; and resident memory after 5 s without a request, median of ${idleRuns}. A server may answer before it has loaded everything, so one row also waits for a list of sessions, requested right after the first response. The floor is a one-line Node HTTP server. The first start after an install fills the cache and takes longer; that is a single start, not a median.`,
      rows: [
        { what: "ready", unit: "ms", ...time, budget: 200, ...floor("readyMs") },
        { what: "ready and has listed the sessions", unit: "ms", gantry: listed.gantry, ...floor("readyMs") },
        { what: "ready, first start ever", unit: "ms", gantry: cold, ...floor("readyMs") },
        { what: "memory, idle", unit: "MB", ...memory, budget: 90, ...floor("idleMb") },
      ],
    };
  },
};

async function coldStart(context: Context): Promise<number> {
  const server = await gantry.start(context.scratch("cold"), { NODE_COMPILE_CACHE: context.scratch("cache") });
  await server.stop();
  return server.readyMs;
}

async function measure(server: Started, isIdleRun: boolean): Promise<Start> {
  const from = performance.now();
  const listed = isIdleRun ? undefined : await server.list?.();
  const listedMs = listed === undefined ? undefined : server.readyMs + performance.now() - from;
  if (isIdleRun) await sleep(IDLE_MS);
  const idleMb = isIdleRun ? residentMb(server.pid) : undefined;
  await server.stop();
  return { readyMs: server.readyMs, listedMs, idleMb };
}

/** Medians without the first start, which fills caches. */
function combine(outcome: Outcome<Start[]>): Outcome<Start> {
  if ("cannot" in outcome) return outcome;
  const [, ...starts] = outcome.result;
  const of = (key: keyof Start) => median(starts.flatMap(({ [key]: value }) => (value === undefined ? [] : [value])));
  return { result: { readyMs: of("readyMs"), listedMs: of("listedMs"), idleMb: of("idleMb") } };
}

async function emptyServer(home: string) {
  const port = await freePort();
  const command = [...NODE, "-e", EMPTY_SERVER, String(port)];
  return startServer({ command, home, mark: "floor", healthUrl: `http://127.0.0.1:${port}/` });
}
