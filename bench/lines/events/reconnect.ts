import { Follower } from "../../client/follower.ts";
import { type Context, figures, type Line, onEach, withServer } from "../../context.ts";
import { until } from "../../measure.ts";
import type { Contestant } from "../../server.ts";

const MISSED = 5_000;

/** A client misses 5,000 events and reconnects with the id of its last event. */
export const reconnect: Line = {
  name: "reconnect",
  async run(context) {
    const outcomes = await onEach(context, "reconnect", (contestant) => measure(context, contestant));
    return {
      name: "reconnect",
      title: "Reconnecting after 5,000 missed events",
      about:
        "A client follows a first turn, disconnects, and reconnects with `Last-Event-ID` after 5,000 events. Time: from the request to the last replayed event.",
      rows: [
        { what: "replayed", unit: "", ...figures(outcomes, ({ replayed }) => replayed), expected: MISSED },
        { what: "time", unit: "ms", ...figures(outcomes, ({ ms }) => ms) },
      ],
    };
  },
};

function measure(context: Context, contestant: Contestant) {
  return withServer(context, contestant, async (server) => {
    const conversation = await server.open();
    const before = new Follower(conversation);
    await before.reader.opened;
    await conversation.burst(10);
    await until("the first turn's end", () => before.ends > 0);
    before.close();
    const lastId = before.reader.lastId;
    // Another client follows the turn while the measured client is disconnected.
    const witness = new Follower(conversation, { lastId });
    await witness.reader.opened;
    await conversation.burst(MISSED);
    await until("the second turn's end", () => witness.ends > 0, { limitMs: 60_000 }).catch(() => undefined);
    witness.close();
    const started = performance.now();
    const after = new Follower(conversation, { lastId });
    await after.settle(MISSED, { limitMs: 6_000 });
    after.close();
    const ms = after.seen.size === 0 ? Number.NaN : after.reader.lastAt - started;
    if (lastId === undefined) return { replayed: after.seen.size, ms: { cannot: "its stream has no ids" } };
    return { replayed: after.seen.size, ms };
  });
}
