import { Follower } from "../../client/follower.ts";
import { type Context, endOrphans, figures, inRounds, type Line, type Outcome } from "../../context.ts";
import { gantryWithAcp } from "../../gantry.ts";
import { median, peakWhile, until } from "../../measure.ts";
import type { Contestant } from "../../server.ts";

const SESSIONS = 50;
const EVENTS = 20;

type Many = { complete: number; ms: number; peakMb: number; orphans: number };

/** Fifty sessions start at the same moment, each with a short turn. */
export const manySessions: Line = {
  name: "many-sessions",
  async run(context) {
    const rounds = context.pick({ full: 5, quick: 1 });
    const entrants = [gantryWithAcp, ...context.peers].map((contestant) => ({
      name: contestant.name,
      rounds: contestant.name === "opencode" ? 1 : rounds,
      run: () => measure(context, contestant),
    }));
    const runs = await inRounds(context, "many-sessions", rounds, entrants);
    const outcomes = Object.fromEntries(Object.entries(runs).map(([name, outcome]) => [name, combine(outcome)]));
    return {
      name: "many-sessions",
      title: "50 sessions at once",
      about: `50 conversations are opened at the same moment, each with a client that follows and a turn of 20 tool events. Gantry (through a local profile) and sandbox-agent start the same ACP agent for each, a small Node program that starts from a warm compile cache; opencode runs its own agent inside the server. Median of ${rounds} rounds in which all take turns (1 for opencode); counts of the worst. There is no floor: starting 50 agents from one measuring process takes longer than either server does, because its starts block each other. Memory is that of the server process only. Orphans are processes that still run five seconds after the server has stopped.`,
      rows: [
        { what: "complete", unit: "", ...figures(outcomes, ({ complete }) => complete), expected: SESSIONS },
        { what: "wall time", unit: "ms", ...figures(outcomes, ({ ms }) => ms) },
        { what: "memory of the server, peak", unit: "MB", ...figures(outcomes, ({ peakMb }) => peakMb) },
        { what: "orphans after stop", unit: "", ...figures(outcomes, ({ orphans }) => orphans), expected: 0 },
      ],
    };
  },
};

async function measure(context: Context, contestant: Contestant): Promise<Many> {
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
      await (conversation.tools?.(EVENTS) ?? conversation.burst(EVENTS));
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

function combine(outcome: Outcome<Many[]>): Outcome<Many> {
  if ("cannot" in outcome) return outcome;
  const of = (key: keyof Many) => outcome.result.map((run) => run[key]);
  const complete = Math.min(...of("complete"));
  const orphans = Math.max(...of("orphans"));
  return { result: { complete, ms: median(of("ms")), peakMb: median(of("peakMb")), orphans } };
}
