import { acpAgent } from "../../agents/bare-pipe.ts";
import { figures, inRounds, type Line, type Outcome } from "../../context.ts";
import { gantryWithAcp } from "../../gantry.ts";
import { durableFloor } from "../../peers/durable-floor.ts";
import type { Row } from "../../report/table.ts";
import type { Contestant } from "../../server.ts";
import { burstRows } from "./burst-rows.ts";
import { type Burst, combineAll, measureBarePipe, measureBurst } from "./bursting.ts";

const PIPE = "bare pipe";

/** Tool calls of an ACP agent that the user has added with a local profile: what most agents behind Gantry are. */
export const acp: Line = {
  name: "acp",
  async run(context) {
    const [count, rounds] = context.pick({ full: [20_000, 5], quick: [10_000, 2], smoke: [40, 1] });
    const measure = (contestant: Contestant) => ({
      name: contestant.name,
      run: () => measureBurst(context, contestant, count, ({ tools }) => tools?.(count)),
    });
    const peers = context.peers.filter(({ name }) => name === "sandbox-agent");
    const runs = await inRounds(context, "acp", rounds, [
      ...[gantryWithAcp, ...peers, durableFloor].map(measure),
      { name: PIPE, run: () => measureBarePipe(context, acpAgent, count, `[[tools:${count}]]`) },
    ]);
    const { [PIPE]: floor, [durableFloor.name]: least, ...outcomes } = combineAll(runs);
    const number = count.toLocaleString("en");
    return {
      name: "acp",
      title: `${number} tool events of an ACP agent in a local profile`,
      about: `The same program, \`bench/agents/acp-fake.ts\`, runs behind Gantry through a profile file and behind sandbox-agent, and writes the same bytes: ${number} updates, a \`tool_call\` and a \`tool_call_update\` in turn, each with its number and its creation time on the machine's monotonic clock. Gantry, sandbox-agent and the bare pipe take turns, ${rounds} rounds; medians, and counts of the worst run. One client follows. Rate: from the creation of the first event to the arrival of the last. When the last event has arrived, the server gets SIGKILL; in the log: the events that are then in Gantry's database, each at its place, read without Gantry's code. sandbox-agent stores nothing. opencode cannot run an ACP agent. The least durable server is a floor, not a peer: \`bench/peers/durable-floor-server.ts\` reads the agent's file, parses each line, commits it to SQLite as Gantry does, and sends it to the client, and does nothing else.`,
      rows: [...burstRows(outcomes, floor, count), ...leastRows(outcomes, least)],
    };
  },
};

/** Gantry and the peer next to the least that a durable server must do. */
function leastRows(outcomes: Record<string, Outcome<Burst>>, least: Outcome<Burst> | undefined): Row[] {
  if (!least || "cannot" in least) return [];
  const pick = (key: "rate" | "p50") => ({
    ...figures(outcomes, (burst) => burst[key]),
    floor: { what: durableFloor.name, value: least.result[key] },
  });
  return [
    { what: "rate, and that of the least durable server", unit: "/s", ...pick("rate") },
    { what: "delay, median, and that of the least durable server", unit: "ms", ...pick("p50") },
  ];
}
