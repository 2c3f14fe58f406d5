import { setTimeout as sleep } from "node:timers/promises";
import { type Context, figures, type Line, onEach, withServer } from "../context.ts";
import { Follower } from "../follower.ts";
import { until } from "../measure.ts";
import type { Contestant } from "../server.ts";

const OUTPUT = 900_000;

/** What a client is sent when the history is heavy. */
export const wireBytes: Line = {
  name: "wire-bytes",
  async run(context) {
    const turns = context.quick ? 3 : 10;
    const outcomes = await onEach(context, "wire-bytes", (contestant) => measure(context, contestant, turns));
    return {
      name: "wire-bytes",
      title: "Bytes on the wire with a heavy history",
      about: `The history holds ${turns} turns, each with a tool call that printed ${OUTPUT / 1000} kB. Then one short turn: what a client that follows is sent for it; what a client that opens the session anew needs to show its end; and what it gets when it asks the stream for everything. opencode cuts a tool's output itself, to about 50 kB.`,
      rows: [
        { what: "one turn, to a client that follows", unit: "kB", ...figures(outcomes, (r) => r.turnKb), budget: 10 },
        { what: "to show the end of the session", unit: "kB", ...figures(outcomes, (r) => r.pageKb) },
        { what: "the stream from the beginning", unit: "kB", ...figures(outcomes, (r) => r.wholeKb) },
      ],
    };
  },
};

function measure(context: Context, contestant: Contestant, turns: number) {
  const { replay } = contestant.cannot;
  return withServer(context, contestant, async (server) => {
    const talk = await server.open();
    for (let turn = 0; turn < turns; turn++) await talk.bulk(OUTPUT);
    const whole = new Follower(talk);
    await whole.reader.opened;
    await sleep(2_000);
    whole.close();
    const follower = new Follower(talk, { lastId: whole.reader.lastId });
    await follower.reader.opened;
    await talk.answer();
    await until("the turn's end", () => follower.ends > 0);
    await sleep(500);
    follower.close();
    const page = await talk.page({ events: 200, messages: 100 });
    return {
      turnKb: follower.reader.bytes / 1000,
      pageKb: typeof page === "number" ? page / 1000 : page,
      wholeKb: replay ? { cannot: replay } : whole.reader.bytes / 1000,
    };
  });
}
