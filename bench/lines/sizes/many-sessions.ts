import { Follower } from "../../client/follower.ts";
import { type Context, endOrphans, figures, type Line, onEach } from "../../context.ts";
import { peakWhile, until } from "../../measure.ts";
import type { Contestant } from "../../server.ts";

const SESSIONS = 50;
const EVENTS = 20;

/** Fifty sessions start at the same moment, each with a short turn. */
export const manySessions: Line = {
  name: "many-sessions",
  async run(context) {
    const outcomes = await onEach(context, "many-sessions", (contestant) => measure(context, contestant));
    return {
      name: "many-sessions",
      title: "50 sessions at once",
      about:
        "50 conversations are opened at the same moment, each with a client that follows and a turn of 20 events. Gantry and sandbox-agent start an agent process for each; opencode runs its own agent inside the server. The agents are small Node programs that start from a warm compile cache, but they differ: about 50 ms of processor time behind Gantry, 35 ms behind sandbox-agent. There is no floor: starting 50 agents from one measuring process takes longer than either server does, because its starts block each other. Memory is that of the server process only. Orphans are processes that still run five seconds after the server has stopped.",
      rows: [
        { what: "complete", unit: "", ...figures(outcomes, ({ complete }) => complete), expected: SESSIONS },
        { what: "wall time", unit: "ms", ...figures(outcomes, ({ ms }) => ms) },
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
      const conversation = await server.open();
      const follower = new Follower(conversation);
      await follower.reader.opened;
      await conversation.burst(EVENTS);
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
