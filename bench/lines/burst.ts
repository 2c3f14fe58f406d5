import { type Context, figures, type Line, onEach, withServer } from "../context.ts";
import { acpAgent, type FakeAgent, playDirectly, scriptedAgent } from "../fake-agent.ts";
import { Follower } from "../follower.ts";
import { median, peakWhile, percentile } from "../measure.ts";
import type { Contestant } from "../server.ts";
import type { Cell } from "../table.ts";

const COUNT = 20_000;

type Burst = {
  delivered: number;
  lost: number;
  disorder: number;
  rate: number;
  p50: number;
  p99: number;
  peakMb: number;
};

/** An agent sends at full speed: do all events arrive in order, and how fast? */
export const burst: Line = {
  name: "burst",
  async run(context) {
    const runs = context.quick ? 1 : 3;
    const outcomes = await onEach(context, "burst", (contestant) =>
      runSeveral(contestant.name === "opencode" ? 1 : runs, () => measure(context, contestant)),
    );
    const floor = await runSeveral(runs, () => measureBarePipe(context, scriptedAgent));
    const acpFloor = await runSeveral(runs, () => measureBarePipe(context, acpAgent));
    const share = figures(outcomes, ({ rate }) => rate);
    const shareOfPipe = (rate: Cell | undefined, bareRate: number): Cell =>
      typeof rate === "number" ? rate / bareRate : (rate ?? Number.NaN);
    const what = "bare pipe";
    const pick = (key: keyof Burst) => figures(outcomes, (result) => result[key]);
    return {
      name: "burst",
      title: "A burst of 20,000 events",
      about: `The agent writes 20,000 events without a pause; one client follows. Median of ${runs} runs (1 for opencode), losses and disorder from the worst run. Rate: from the creation of the first event to the arrival of the last. Delay: from the creation of an event to its arrival; during a burst, most of it is queueing. Delays are hard to compare: a server that reads its agent through a pipe blocks a fast agent, while Gantry lets it write ahead into a file, and that lead counts as delay. The agents differ too (290 bytes an event behind Gantry, 218 behind sandbox-agent), so one row gives each rate as a share of what its own agent reaches on a bare pipe. Gantry decodes, numbers and stores every event before it publishes it. The floor is the same agent read line by line from a pipe, with JSON.parse and nothing else. sandbox-agent forwards ACP frames and stores nothing; opencode's events are text deltas from its built-in agent, and it stores only the complete text.`,
      rows: [
        { what: "delivered", unit: "", ...pick("delivered"), expected: COUNT },
        { what: "lost", unit: "", ...pick("lost"), expected: 0 },
        { what: "out of order or twice", unit: "", ...pick("disorder"), expected: 0 },
        { what: "rate", unit: "/s", ...pick("rate"), floor: { what, value: floor.rate } },
        {
          what: "rate, as a share of the agent's bare pipe",
          unit: "×",
          higherIsBetter: true,
          gantry: shareOfPipe(share.gantry, floor.rate),
          peers: {
            "sandbox-agent": shareOfPipe(share.peers["sandbox-agent"], acpFloor.rate),
            opencode: { cannot: "its agent is inside" },
          },
        },
        { what: "delay, median", unit: "ms", ...pick("p50"), floor: { what, value: floor.p50 } },
        { what: "delay, 99 %", unit: "ms", ...pick("p99"), floor: { what, value: floor.p99 } },
        { what: "memory of the server, peak", unit: "MB", ...pick("peakMb") },
      ],
    };
  },
};

async function runSeveral(runs: number, run: () => Promise<Burst>): Promise<Burst> {
  const all: Burst[] = [];
  for (let i = 0; i < runs; i++) all.push(await run());
  const of = (key: keyof Burst) => all.map((entry) => entry[key]);
  return {
    delivered: Math.min(...of("delivered")),
    lost: Math.max(...of("lost")),
    disorder: Math.max(...of("disorder")),
    rate: median(of("rate")),
    p50: median(of("p50")),
    p99: median(of("p99")),
    peakMb: median(of("peakMb")),
  };
}

function measure(context: Context, contestant: Contestant): Promise<Burst> {
  return withServer(context, contestant, async (server) => {
    const conversation = await server.open();
    const follower = new Follower(conversation);
    await follower.reader.opened;
    const work = Promise.all([conversation.burst(COUNT), follower.settle(COUNT)]);
    const { mb } = await peakWhile(server.pid, work);
    follower.close();
    const { seen, disorder, repeats, rate, delays } = follower;
    return {
      delivered: seen.size,
      lost: COUNT - seen.size,
      disorder: disorder + repeats,
      rate,
      p50: percentile(delays, 0.5),
      p99: percentile(delays, 0.99),
      peakMb: mb,
    };
  });
}

async function measureBarePipe(context: Context, agent: FakeAgent): Promise<Burst> {
  const delays: number[] = [];
  let first: number | undefined;
  let count = 0;
  await playDirectly(agent, context.scratch("pipe"), `[[burst:${COUNT}]]`, (frame) => {
    const made = agent.madeAt(frame);
    if (made === undefined) return;
    count++;
    if (made === null) return;
    first ??= made;
    delays.push(Date.now() - made);
  });
  const rate = (count / Math.max(1, Date.now() - (first ?? 0))) * 1000;
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  return { delivered: count, lost: COUNT - count, disorder: 0, rate, p50, p99, peakMb: Number.NaN };
}
