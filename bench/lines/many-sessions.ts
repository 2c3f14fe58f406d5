import { type Context, endOrphans, figures, type Line, onEach } from "../context.ts";
import { playDirectly } from "../fake-agent.ts";
import { Follower } from "../follower.ts";
import { peakWhile, until } from "../measure.ts";
import type { Contestant } from "../server.ts";

const SESSIONS = 50;
const EVENTS = 20;

/** Fifty sessions start at the same moment, each with a short turn. */
export const manySessions: Line = {
  name: "many-sessions",
  async run(context) {
    const outcomes = await onEach(context, "many-sessions", (contestant) => measure(context, contestant));
    const floor = await bare(context);
    return {
      name: "many-sessions",
      title: "50 sessions at once",
      about:
        "50 conversations are opened at the same moment, each with a client that follows and a turn of 20 events. Gantry and sandbox-agent start an agent process for each (one Node process, which is most of the time and is what the floor measures: 50 such agents on bare pipes); opencode runs its own agent inside the server. Memory is that of the server alone. Orphans are processes that are still there five seconds after the server was stopped.",
      rows: [
        { what: "complete", unit: "", ...figures(outcomes, ({ complete }) => complete), expected: SESSIONS },
        {
          what: "wall time",
          unit: "ms",
          ...figures(outcomes, ({ ms }) => ms),
          floor: { what: "50 bare agents", value: floor },
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

async function bare(context: Context): Promise<number> {
  const started = performance.now();
  const home = context.scratch("bare");
  const one = () => playDirectly(home, `[[burst:${EVENTS}]]`, () => undefined);
  await Promise.all(Array.from({ length: SESSIONS }, one));
  return performance.now() - started;
}
