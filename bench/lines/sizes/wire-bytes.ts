import { setTimeout as sleep } from "node:timers/promises";
import { Follower } from "../../client/follower.ts";
import { type Context, figures, type Line, onEach, withServer } from "../../context.ts";
import { until } from "../../measure.ts";
import type { Contestant } from "../../server.ts";

const OUTPUT = 900_000;

/** The bytes that a client receives when the history is large. */
export const wireBytes: Line = {
  name: "wire-bytes",
  async run(context) {
    const turns = context.pick({ full: 10, quick: 3 });
    const outcomes = await onEach(context, "wire-bytes", (contestant) => measure(context, contestant, turns));
    return {
      name: "wire-bytes",
      title: "Bytes on the wire with a large history",
      about: `The history holds ${turns} turns, each with a tool call that printed ${OUTPUT / 1000} kB. Then one short turn: what a following client receives for it; what a new client needs to show the end of the session; and what it receives when it requests the whole stream. opencode truncates a tool's output to about 50 kB.`,
      rows: [
        { what: "one turn, to a following client", unit: "kB", ...figures(outcomes, (r) => r.turnKb), budget: 10 },
        { what: "to show the end of the session", unit: "kB", ...figures(outcomes, (r) => r.pageKb) },
        { what: "the whole stream", unit: "kB", ...figures(outcomes, (r) => r.wholeKb) },
      ],
    };
  },
};

function measure(context: Context, contestant: Contestant, turns: number) {
  const { replay } = contestant.cannot;
  return withServer(context, contestant, async (server) => {
    const conversation = await server.open();
    for (let turn = 0; turn < turns; turn++) await conversation.bulk(OUTPUT);
    const whole = new Follower(conversation);
    await whole.reader.opened;
    await sleep(2_000);
    whole.close();
    const follower = new Follower(conversation, { lastId: whole.reader.lastId });
    await follower.reader.opened;
    await conversation.answer();
    await until("the turn's end", () => follower.ends > 0);
    await sleep(500);
    follower.close();
    const page = await conversation.page({ events: 200, messages: 100 });
    return {
      turnKb: follower.reader.bytes / 1000,
      pageKb: typeof page === "number" ? page / 1000 : page,
      wholeKb: replay ? { cannot: replay } : whole.reader.bytes / 1000,
    };
  });
}
