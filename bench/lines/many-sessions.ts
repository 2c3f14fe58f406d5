import { type Context, endOrphans, figures, type Line, onEach } from "../context.ts";
import { acpAgent, type FakeAgent, playDirectly, scriptedAgent } from "../fake-agent.ts";
import { Follower } from "../follower.ts";
import { peakWhile, until } from "../measure.ts";
import type { Contestant } from "../server.ts";
import type { Cell } from "../table.ts";

const SESSIONS = 50;
const EVENTS = 20;

/** Fifty sessions start at the same moment, each with a short turn. */
export const manySessions: Line = {
  name: "many-sessions",
  async run(context) {
    const outcomes = await onEach(context, "many-sessions", (contestant) => measure(context, contestant));
    const floor = await bare(context, scriptedAgent);
    const acpFloor = await bare(context, acpAgent);
    const wall = figures(outcomes, ({ ms }) => ms);
    const share = (ms: Cell | undefined, bareMs: number): Cell =>
      typeof ms === "number" ? ms / bareMs : (ms ?? Number.NaN);
    return {
      name: "many-sessions",
      title: "50 sessions at once",
      about:
        "50 conversations are opened at the same moment, each with a client that follows and a turn of 20 events. Gantry and sandbox-agent start an agent process for each (one Node process, which is most of the time and is what the floor measures: 50 such agents on bare pipes); opencode runs its own agent inside the server. The two fake agents do not cost the same to start, so one row relates each wall time to 50 of its own agents; all start from a warm compile cache. Memory is that of the server alone. Orphans are processes that are still there five seconds after the server was stopped.",
      rows: [
        { what: "complete", unit: "", ...figures(outcomes, ({ complete }) => complete), expected: SESSIONS },
        {
          what: "wall time",
          unit: "ms",
          ...wall,
          floor: { what: "50 bare agents", value: floor },
        },
        {
          what: "wall time, as a multiple of its own 50 bare agents",
          unit: "×",
          gantry: share(wall.gantry, floor),
          peers: {
            "sandbox-agent": share(wall.peers["sandbox-agent"], acpFloor),
            opencode: { cannot: "its agent is inside" },
          },
        },
        { what: "memory of the server, peak", unit: "MB", ...figures(outcomes, ({ peakMb }) => peakMb) },
        { what: "orphans after stop", unit: "", ...figures(outcomes, ({ orphans }) => orphans), expected: 0 },
      ],
    };
  },
};

async function measure(context: Context, contestant: Contestant) {
  const server = await contestant.start(context.scratch(contestant.name));
  let complete = 0;
  let ms = Number.NaN;
  let peakMb = Number.NaN;
  try {
    const started = performance.now();
    const one = async () => {
      const talk = await server.open();
      const follower = new Follower(talk);
      await follower.reader.opened;
      await talk.burst(EVENTS);
      await until("the turn's end", () => follower.ends > 0, { limitMs: 90_000 }).catch(() => undefined);
      follower.close();
      if (follower.seen.size === EVENTS) complete++;
    };
    const all = Promise.allSettled(Array.from({ length: SESSIONS }, one));
    peakMb = (await peakWhile(server.pid, all)).mb;
    ms = performance.now() - started;
  } finally {
    await server.stop();
  }
  return { complete, ms, peakMb, orphans: await endOrphans(server.mark) };
}

async function bare(context: Context, agent: FakeAgent): Promise<number> {
  const started = performance.now();
  const home = context.scratch("bare");
  const one = () => playDirectly(agent, home, `[[burst:${EVENTS}]]`);
  await Promise.all(Array.from({ length: SESSIONS }, one));
  return performance.now() - started;
}
