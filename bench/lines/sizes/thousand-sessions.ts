import { setTimeout as sleep } from "node:timers/promises";
import { type Context, type Line, withServer } from "../../context.ts";
import { gantry } from "../../gantry.ts";
import { makeSessions } from "../../made-history.ts";
import { median, residentMb } from "../../measure.ts";

const SESSIONS = 1_000;
const AGAIN = 9;
const IDLE_MS = 5_000;

type Figures = { listed: number; firstMs: number; againMs: number; mb: number; readyMs: number };

/** A thousand sessions in the list. */
export const thousandSessions: Line = {
  name: "thousand-sessions",
  async run(context) {
    const empty = await measure(context, 0);
    const full = await measure(context, SESSIONS);
    const floor = (key: keyof Figures) => ({ floor: { what: "no session", value: empty[key] } });
    return {
      name: "thousand-sessions",
      title: "1,000 sessions in the list",
      about:
        "The store holds 1,000 sessions of 50 events each. The list: all pages of `GET /v1/sessions`, as the board reads them; the first time after the start, and the median of nine more. Memory: of the server, idle for 5 s after that. The floor is the same server without a session.",
      rows: [
        { what: "listed", unit: "", gantry: full.listed, expected: SESSIONS },
        { what: "ready", unit: "ms", gantry: full.readyMs, ...floor("readyMs") },
        { what: "the list after the start", unit: "ms", gantry: full.firstMs, budget: 500 },
        { what: "the list, again", unit: "ms", gantry: full.againMs, budget: 100 },
        { what: "memory of the server", unit: "MB", gantry: full.mb, budget: 150, ...floor("mb") },
      ],
    };
  },
};

async function measure(context: Context, sessions: number): Promise<Figures> {
  context.log(`thousand-sessions: gantry with ${sessions} …`);
  return withServer(
    context,
    gantry,
    async (server) => {
      const list = async () => {
        const from = performance.now();
        const listed = (await server.list?.()) ?? Number.NaN;
        return { listed, ms: performance.now() - from };
      };
      const first = await list();
      const again: number[] = [];
      for (let i = 0; i < AGAIN; i++) again.push((await list()).ms);
      await sleep(IDLE_MS);
      const mb = residentMb(server.pid);
      return { listed: first.listed, firstMs: first.ms, againMs: median(again), mb, readyMs: server.readyMs };
    },
    (home) => makeSessions(home, sessions),
  );
}
