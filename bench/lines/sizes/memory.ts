import { setTimeout as sleep } from "node:timers/promises";
import { Follower } from "../../client/follower.ts";
import { type Context, endMarked, figures, type Line, onEach } from "../../context.ts";
import { gantryWithAcp } from "../../gantry.ts";
import { peakWhile, residentMb } from "../../measure.ts";
import type { Contestant } from "../../server.ts";
import { patienceWith } from "../events/bursting.ts";

const IDLE_MS = 5_000;

/** Does the memory of a burst come back? */
export const memory: Line = {
  name: "memory",
  async run(context) {
    const [count, seconds] = context.pick({ full: [100_000, 60], quick: [20_000, 20] });
    const contestants = [gantryWithAcp, ...context.peers.filter(({ name }) => name === "sandbox-agent")];
    const outcomes = await onEach(
      context,
      "memory",
      (contestant) => measure(context, contestant, count, seconds),
      contestants,
    );
    const pick = (key: "before" | "warm" | "peak" | "after") => figures(outcomes, (result) => result[key]);
    const number = count.toLocaleString("en");
    return {
      name: "memory",
      title: "Memory after a burst",
      about: `Resident memory of the server: idle for 5 s after its start, with one open session; 5 s after a first turn of 20 events; at most during a burst of ${number} tool events of an ACP agent (behind Gantry in a local profile), which one client follows; and ${seconds} s after it, with the client still connected.`,
      rows: [
        { what: "delivered", unit: "", ...figures(outcomes, ({ delivered }) => delivered), expected: count },
        { what: "before", unit: "MB", ...pick("before") },
        {
          what: "after a first turn",
          unit: "MB",
          ...pick("warm"),
          floor: { what: "before", value: Number(pick("before").gantry) },
        },
        {
          what: "during the burst, peak",
          unit: "MB",
          ...pick("peak"),
          floor: { what: "before", value: Number(pick("before").gantry) },
        },
        {
          what: "after the burst",
          unit: "MB",
          ...pick("after"),
          floor: { what: "before", value: Number(pick("before").gantry) },
        },
      ],
    };
  },
};

async function measure(context: Context, contestant: Contestant, count: number, seconds: number) {
  const server = await contestant.start(context.scratch(contestant.name));
  try {
    const conversation = await server.open();
    const follower = new Follower(conversation);
    await follower.reader.opened;
    await sleep(IDLE_MS);
    const before = residentMb(server.pid);
    await Promise.all([conversation.tools?.(20), follower.settle(20)]);
    await sleep(IDLE_MS);
    const warm = residentMb(server.pid);
    const second = new Follower(conversation, { lastId: follower.reader.lastId });
    follower.close();
    await second.reader.opened;
    const patience = { quietMs: patienceWith(contestant), limitMs: 240_000 };
    const turn = Promise.resolve(conversation.tools?.(count)).catch(() => undefined);
    const { mb: peak } = await peakWhile(server.pid, second.settle(count, patience));
    await turn;
    await sleep(seconds * 1000);
    const after = residentMb(server.pid);
    second.close();
    return { delivered: second.seen.size, before, warm, peak, after };
  } finally {
    await server.stop();
    endMarked(server.mark);
  }
}
