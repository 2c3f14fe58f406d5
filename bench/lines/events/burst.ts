import { acpAgent, scriptedAgent } from "../../agents/bare-pipe.ts";
import { inRounds, type Line, type Outcome } from "../../context.ts";
import { gantry } from "../../gantry.ts";
import type { Cell, Row } from "../../report/table.ts";
import { burstRows } from "./burst-rows.ts";
import { combineAll, measureBarePipe, measureBurst } from "./bursting.ts";

const PIPE = "bare pipe";
const ACP_PIPE = "bare pipe, ACP";

/** An agent sends at full speed: do all events arrive in order, and how fast? */
export const burst: Line = {
  name: "burst",
  async run(context) {
    const [count, rounds] = context.pick({ full: [20_000, 3], quick: [20_000, 1], smoke: [40, 1] });
    const number = count.toLocaleString("en");
    const prompt = `[[burst:${count}]]`;
    const runs = await inRounds(context, "burst", rounds, [
      ...[gantry, ...context.peers].map((contestant) => ({
        name: contestant.name,
        rounds: contestant.name === "opencode" ? 1 : rounds,
        run: () => measureBurst(context, contestant, count, (conversation) => conversation.burst(count)),
      })),
      { name: PIPE, run: () => measureBarePipe(context, scriptedAgent, count, prompt) },
      { name: ACP_PIPE, run: () => measureBarePipe(context, acpAgent, count, prompt) },
    ]);
    const { [PIPE]: floor, [ACP_PIPE]: acpFloor, ...outcomes } = combineAll(runs);
    const shares: Row = {
      what: "rate, as a share of the agent's bare pipe",
      unit: "×",
      higherIsBetter: true,
      gantry: share(outcomes.gantry, floor),
      peers: {
        "sandbox-agent": share(outcomes["sandbox-agent"], acpFloor),
        opencode: { cannot: "its agent is inside" },
      },
    };
    return {
      name: "burst",
      title: `A burst of ${number} events`,
      about: `The agent writes ${number} events without a pause; one client follows. Median of ${rounds} rounds in which all take turns (1 for opencode), losses and disorder from the worst run. Rate: from the creation of the first event to the arrival of the last. Delay: from the creation of an event to its arrival; during a burst, most of it is queueing. Delays are hard to compare: a server that reads its agent through a pipe blocks a fast agent, while Gantry lets it write ahead into a file, and that lead counts as delay. The agents differ too (290 bytes an event behind Gantry, 218 behind sandbox-agent), so one row gives each rate as a share of what its own agent reaches on a bare pipe. Gantry decodes, numbers and stores every event before it publishes it; in the log: what its database holds when it gets SIGKILL after the last event has arrived. The floor is the same agent read line by line from a pipe, with JSON.parse and nothing else. sandbox-agent forwards ACP frames and stores nothing; opencode's events are text deltas from its built-in agent, and it stores only the complete text.`,
      rows: [...burstRows(outcomes, floor, count), shares],
    };
  },
};

type Rated = Outcome<{ rate: number }> | undefined;

function share(outcome: Rated, pipe: Rated): Cell {
  if (!outcome || !pipe) return Number.NaN;
  if ("cannot" in outcome) return outcome;
  return "cannot" in pipe ? pipe : outcome.result.rate / pipe.result.rate;
}
