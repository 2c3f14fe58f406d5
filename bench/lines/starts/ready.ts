import { setTimeout as sleep } from "node:timers/promises";
import { freePort, NODE, startServer } from "../../child.ts";
import { type Context, figures, type Line, onEach } from "../../context.ts";
import { gantry } from "../../gantry.ts";
import { median, residentMb } from "../../measure.ts";
import type { Server } from "../../server.ts";

type Times = { readyMs: number; idleMb: number };

const IDLE_MS = 5_000;
const EMPTY_SERVER = "require('node:http').createServer((q,s)=>s.end('ok')).listen(+process.argv[1],'127.0.0.1')";

/** The start time and the idle memory. */
export const ready: Line = {
  name: "ready",
  async run(context) {
    const runs = context.quick ? 3 : 10;
    const cold = await coldStart(context);
    const outcomes = await onEach(context, "ready", (contestant) =>
      measure(contestant.name === "opencode" ? Math.min(runs, 3) : runs, () =>
        contestant.start(context.scratch(contestant.name)),
      ),
    );
    const floor = await measure(runs, () => emptyServer(context.scratch("empty")));
    const time = figures(outcomes, ({ readyMs }) => readyMs);
    const memory = figures(outcomes, ({ idleMb }) => idleMb);
    const what = "empty Node server";
    return {
      name: "ready",
      title: "Ready and idle",
      about: `From the start of the process to the first successful HTTP response, median of ${runs} starts (3 for opencode), with Node's compile cache warm; and resident memory after 5 s without a request. The floor is a one-line Node HTTP server. The first start after an install fills the cache and takes longer; that is a single start, not a median.`,
      rows: [
        { what: "ready", unit: "ms", ...time, budget: 200, floor: { what, value: floor.readyMs } },
        { what: "ready, first start ever", unit: "ms", gantry: cold, floor: { what, value: floor.readyMs } },
        { what: "memory, idle", unit: "MB", ...memory, budget: 90, floor: { what, value: floor.idleMb } },
      ],
    };
  },
};

async function coldStart(context: Context): Promise<number> {
  const server = await gantry.start(context.scratch("cold"), { NODE_COMPILE_CACHE: context.scratch("cache") });
  await server.stop();
  return server.readyMs;
}

async function measure(runs: number, start: () => Promise<Pick<Server, "pid" | "readyMs" | "stop">>): Promise<Times> {
  const times: number[] = [];
  let idleMb = Number.NaN;
  // The first start fills caches.
  for (let run = 0; run <= runs; run++) {
    const server = await start();
    if (run > 0) times.push(server.readyMs);
    if (run === runs) {
      await sleep(IDLE_MS);
      idleMb = residentMb(server.pid);
    }
    await server.stop();
  }
  return { readyMs: median(times), idleMb };
}

async function emptyServer(home: string) {
  const port = await freePort();
  const command = [...NODE, "-e", EMPTY_SERVER, String(port)];
  return startServer({ command, home, mark: "floor", healthUrl: `http://127.0.0.1:${port}/` });
}
