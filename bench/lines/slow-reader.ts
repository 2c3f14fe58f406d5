import { setTimeout as sleep } from "node:timers/promises";
import { type Context, figures, type Line, onEach, withServer } from "../context.ts";
import { Follower } from "../follower.ts";
import { peakWhile, residentMb } from "../measure.ts";
import type { Contestant } from "../server.ts";

/** The system's socket buffers hold about 4 MB, a burst of 20,000 whole: only far more than that reaches the server. */
const COUNT = 100_000;
const EVENT_BYTES = 300;
const PACE = 100 * EVENT_BYTES;

/** A client that reads far too slowly: does it lose anything, and who pays for its slowness? */
export const slowReader: Line = {
  name: "slow-reader",
  async run(context) {
    const seconds = context.quick ? 4 : 15;
    const outcomes = await onEach(context, "slow-reader", (contestant) => measure(context, contestant, seconds));
    return {
      name: "slow-reader",
      title: "A slow reader of 100,000 events",
      about: `One client takes about 100 events a second (${PACE / 1000} kB/s) from its socket and leaves the rest there, for ${seconds} s from the start of a burst of 100,000; then it reads on at full speed. Growth is the highest memory of the server in that time less what it had before; part of it is the burst itself. 100,000 and not 20,000, because the system's socket buffers take up about 4 MB and would hide the slowness from the server.`,
      rows: [
        { what: "delivered in the end", unit: "", ...figures(outcomes, (result) => result.delivered), expected: COUNT },
        { what: "lost", unit: "", ...figures(outcomes, (result) => COUNT - result.delivered), expected: 0 },
        { what: "memory of the server, growth", unit: "MB", ...figures(outcomes, (result) => result.growthMb) },
      ],
    };
  },
};

function measure(context: Context, contestant: Contestant, seconds: number) {
  return withServer(context, contestant, async (server) => {
    const talk = await server.open();
    const before = residentMb(server.pid);
    const follower = new Follower(talk, { pace: PACE });
    await follower.reader.opened;
    const work = async () => {
      const turn = talk.burst(COUNT);
      await sleep(seconds * 1000);
      follower.reader.hurry();
      await Promise.all([turn, follower.settle(COUNT)]);
    };
    const { mb } = await peakWhile(server.pid, work());
    follower.close();
    return { delivered: follower.seen.size, growthMb: mb - before };
  });
}
