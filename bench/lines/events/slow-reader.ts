import { setTimeout as sleep } from "node:timers/promises";
import { Follower } from "../../client/follower.ts";
import { type Context, figures, type Line, onEach, withServer } from "../../context.ts";
import { peakWhile, residentMb } from "../../measure.ts";
import type { Contestant } from "../../server.ts";

/** The socket buffers hold about 4 MB, a whole burst of 20,000 events; only a larger burst makes the server wait. */
const COUNT = 100_000;
const EVENT_BYTES = 300;
const PACE = 100 * EVENT_BYTES;

/** A client reads far too slowly: does it lose events, and how much does the memory of the server grow? */
export const slowReader: Line = {
  name: "slow-reader",
  async run(context) {
    const seconds = context.pick({ full: 15, quick: 4 });
    const outcomes = await onEach(context, "slow-reader", (contestant) => measure(context, contestant, seconds));
    return {
      name: "slow-reader",
      title: "A slow reader of 100,000 events",
      about: `One client reads about 100 events per second (${PACE / 1000} kB/s) from its socket and leaves the rest there, for ${seconds} s from the start of a burst of 100,000; then it reads at full speed. Growth is the peak memory of the server minus its memory before the burst; part of it is the burst itself. The burst has 100,000 events because the socket buffers hold about 4 MB and would hide the slow reader from the server.`,
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
    const conversation = await server.open();
    const before = residentMb(server.pid);
    const follower = new Follower(conversation, { pace: PACE });
    await follower.reader.opened;
    const work = async () => {
      const turn = conversation.burst(COUNT);
      await sleep(seconds * 1000);
      follower.reader.readAtFullSpeed();
      await Promise.all([turn, follower.settle(COUNT)]);
    };
    const { mb } = await peakWhile(server.pid, work());
    follower.close();
    return { delivered: follower.seen.size, growthMb: mb - before };
  });
}
