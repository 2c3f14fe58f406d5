import { setTimeout as sleep } from "node:timers/promises";
import { Follower } from "../../client/follower.ts";
import { openSink } from "../../client/sink.ts";
import { type Context, figures, inRounds, type Line, type Outcome, withServer } from "../../context.ts";
import { gantryWithAcp } from "../../gantry.ts";
import { monotonicMs, percentile } from "../../measure.ts";
import type { Contestant, Server } from "../../server.ts";
import { patienceWith } from "./bursting.ts";

const EVERY_MS = 10;
const WARM = 4_000;

type Quiet = { delays: number[]; lost: number; floodRate: number };

/** Does one busy session delay the others? */
export const quietSession: Line = {
  name: "quiet-session",
  async run(context) {
    const [count, rounds] = context.pick({ full: [500, 3], quick: [200, 2], smoke: [20, 1] });
    const contestants = [gantryWithAcp, ...context.peers.filter(({ name }) => name === "sandbox-agent")];
    const measureEach = (flooded: boolean) =>
      contestants.map((contestant) => ({
        name: nameOf(contestant.name, flooded),
        run: () => measure(context, contestant, count, flooded),
      }));
    const entrants = [...measureEach(false), ...measureEach(true)];
    const runs = await inRounds(context, "quiet-session", rounds, entrants);
    const of = (flooded: boolean) =>
      Object.fromEntries(contestants.map(({ name }) => [name, pool(runs[nameOf(name, flooded)])]));
    const [alone, next] = [of(false), of(true)];
    const delay = (outcomes: Record<string, Outcome<Quiet>>, share: number) =>
      figures(outcomes, ({ delays }) => percentile(delays, share));
    const floor = (share: number) => ({ floor: { what: "alone", value: Number(delay(alone, share).gantry) } });
    return {
      name: "quiet-session",
      title: "A quiet session next to a flooding one",
      about: `One session sends a tool event every ${EVERY_MS} ms, ${count} in all; its client measures the delay of each, from its creation to its arrival. First the session is alone, then another session of the same server sends tool events without a pause all the time, read by a client in another thread. ${rounds} rounds of both in turn, each with a new server that has handled ${WARM.toLocaleString("en")} events before; the percentiles are those of all rounds together. Both sessions have the same ACP agent, behind Gantry in a local profile.`,
      rows: [
        { what: "lost by the quiet session", unit: "", ...figures(next, ({ lost }) => lost), expected: 0 },
        { what: "delay alone, median", unit: "ms", ...delay(alone, 0.5) },
        { what: "delay alone, 99 %", unit: "ms", ...delay(alone, 0.99) },
        { what: "delay next to a flood, median", unit: "ms", ...delay(next, 0.5), ...floor(0.5) },
        { what: "delay next to a flood, 99 %", unit: "ms", ...delay(next, 0.99), ...floor(0.99) },
        { what: "the flood meanwhile", unit: "/s", ...figures(next, ({ floodRate }) => floodRate) },
      ],
    };
  },
};

function nameOf(contestant: string, flooded: boolean): string {
  return `${contestant} ${flooded ? "next to a flood" : "alone"}`;
}

function measure(context: Context, contestant: Contestant, count: number, flooded: boolean): Promise<Quiet> {
  return withServer(context, contestant, async (server) => {
    const quiet = await server.open();
    const warm = new Follower(quiet);
    await warm.reader.opened;
    await Promise.all([quiet.tools?.(WARM), warm.settle(WARM, { quietMs: patienceWith(contestant) })]);
    await sleep(500);
    warm.close();
    const end = flooded ? await flood(server, count * EVERY_MS * 10) : undefined;
    const follower = new Follower(quiet, { lastId: warm.reader.lastId });
    await follower.reader.opened;
    const turn = Promise.resolve(quiet.paced?.(count, EVERY_MS)).catch(() => undefined);
    await follower.settle(count, { quietMs: 20_000 });
    const floodRate = (await end?.()) ?? Number.NaN;
    await server.kill();
    await turn;
    follower.close();
    return { delays: follower.delays, lost: count - follower.seen.size, floodRate };
  });
}

/** Starts a flood that lasts longer than the measurement. The returned function ends its client and gives its rate. */
async function flood(server: Server, ms: number): Promise<() => Promise<number>> {
  const conversation = await server.open();
  const sink = openSink(conversation.stream());
  Promise.resolve(conversation.flood?.(ms)).catch(() => undefined);
  await sink.flowing;
  await sleep(500);
  const [from, before] = [monotonicMs(), sink.events()];
  return async () => {
    const rate = ((sink.events() - before) / (monotonicMs() - from)) * 1000;
    await sink.close();
    return rate;
  };
}

/** The delays of all rounds, the losses of the worst and the flood of the slowest. */
function pool(outcome: Outcome<Quiet[]> | undefined): Outcome<Quiet> {
  if (!outcome) return { cannot: "not measured" };
  if ("cannot" in outcome) return outcome;
  const runs = outcome.result;
  return {
    result: {
      delays: runs.flatMap(({ delays }) => delays),
      lost: Math.max(...runs.map(({ lost }) => lost)),
      floodRate: Math.min(...runs.map(({ floodRate }) => floodRate)),
    },
  };
}
