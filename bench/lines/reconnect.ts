import { type Context, figures, type Line, onEach, withServer } from "../context.ts";
import { Follower } from "../follower.ts";
import { until } from "../measure.ts";
import type { Contestant } from "../server.ts";

const MISSED = 5_000;

/** A client was away for 5,000 events and comes back with the id of the last one that it had. */
export const reconnect: Line = {
  name: "reconnect",
  async run(context) {
    const outcomes = await onEach(context, "reconnect", (contestant) => measure(context, contestant));
    return {
      name: "reconnect",
      title: "Coming back after 5,000 missed events",
      about:
        "A client follows a first turn, goes away, and comes back with `Last-Event-ID` when 5,000 events have passed. Time: from the request to the last replayed event, however many those were.",
      rows: [
        { what: "replayed", unit: "", ...figures(outcomes, ({ replayed }) => replayed), expected: MISSED },
        { what: "time", unit: "ms", ...figures(outcomes, ({ ms }) => ms) },
      ],
    };
  },
};

function measure(context: Context, contestant: Contestant) {
  return withServer(context, contestant, async (server) => {
    const talk = await server.open();
    const before = new Follower(talk);
    await before.reader.opened;
    await talk.burst(10);
    await until("the first turn's end", () => before.ends > 0);
    before.close();
    const lastId = before.reader.lastId;
    // Another client sees the turn through; the one that is measured is away.
    const witness = new Follower(talk, { lastId });
    await witness.reader.opened;
    await talk.burst(MISSED);
    await until("the second turn's end", () => witness.ends > 0, { limitMs: 60_000 }).catch(() => undefined);
    witness.close();
    const started = performance.now();
    const after = new Follower(talk, { lastId });
    await after.settle(MISSED, 6_000);
    after.close();
    const ms = after.seen.size === 0 ? Number.NaN : after.reader.lastAt - started;
    if (lastId === undefined) return { replayed: after.seen.size, ms: { cannot: "its stream has no ids" } };
    return { replayed: after.seen.size, ms };
  });
}
