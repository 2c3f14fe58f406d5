import { Follower } from "../../client/follower.ts";
import { type Context, figures, type Line, onEach, withServer } from "../../context.ts";
import { gantryWithAcp } from "../../gantry.ts";
import { monotonicMs, peakWhile } from "../../measure.ts";
import type { Contestant } from "../../server.ts";
import { patienceWith } from "../events/bursting.ts";

/** Many clients follow one session. */
export const subscribers: Line = {
  name: "subscribers",
  async run(context) {
    const [clients, events] = context.pick({ full: [100, 1_000], quick: [100, 200], smoke: [5, 20] });
    const contestants = [gantryWithAcp, ...context.peers.filter(({ name }) => name === "sandbox-agent")];
    const outcomes = await onEach(
      context,
      "subscribers",
      (contestant) => measure(context, contestant, clients, events),
      contestants,
    );
    return {
      name: "subscribers",
      title: `${clients} subscribers`,
      about: `${clients} clients follow one session while its ACP agent (behind Gantry in a local profile) sends ${events.toLocaleString("en")} tool events without a pause. Every client checks numbers and order. Wall time: from the creation of the first event to the arrival of the last at the last client; most of it is the work of the clients, which share one process.`,
      rows: [
        { what: "complete clients", unit: "", ...figures(outcomes, ({ complete }) => complete), expected: clients },
        { what: "wall time", unit: "ms", ...figures(outcomes, ({ ms }) => ms) },
        { what: "memory of the server, peak", unit: "MB", ...figures(outcomes, ({ peakMb }) => peakMb) },
      ],
    };
  },
};

function measure(context: Context, contestant: Contestant, clients: number, events: number) {
  return withServer(context, contestant, async (server) => {
    const conversation = await server.open();
    const followers = Array.from({ length: clients }, () => new Follower(conversation));
    await Promise.all(followers.map(({ reader }) => reader.opened));
    const turn = Promise.resolve(conversation.tools?.(events)).catch(() => undefined);
    const patience = { quietMs: patienceWith(contestant) };
    const all = Promise.all(followers.map((follower) => follower.settle(events, patience)));
    const { mb } = await peakWhile(server.pid, all);
    await turn;
    for (const follower of followers) follower.close();
    const isComplete = ({ seen, disorder, repeats }: Follower) => seen.size === events && disorder + repeats === 0;
    const first = Math.min(...followers.map(({ firstMadeAt }) => firstMadeAt ?? monotonicMs()));
    const last = Math.max(...followers.map(({ lastReceivedAt }) => lastReceivedAt));
    return { complete: followers.filter(isComplete).length, ms: last - first, peakMb: mb };
  });
}
