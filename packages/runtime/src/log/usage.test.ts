import { draft } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { Script, turnEnd } from "./testing/events.ts";
import { TemporaryStore } from "./testing/temporary-store.ts";

const at = new TemporaryStore();

/** Turns of a session in a lane on a day; without a price their cost is unknown. */
function book(session: string, day: string, lane: string | undefined, prices: readonly (number | undefined)[]): void {
  const script = new Script(session, day);
  const created = draft("session.created", { agent: "fake", cwd: "/work", title: "A title", mode: "ask", lane });
  const turns = prices.map((usd, index) => ({ ...turnEnd(10, { usd }), turn: `trn_${index}` }));
  at.store.commit({ session, events: script.add(created, ...turns), view: script.view });
}

describe("usage", () => {
  it("is recorded per lane and turn, and counts turns with unknown cost", () => {
    book("ses_a", "2026-11-15", "lan_one", [0.5, undefined]);
    book("ses_b", "2026-11-16", undefined, [0.25]);
    const { rows, total } = at.store.usage(["lane"]);
    expect(rows.map(({ lane, turns, cost, unpriced }) => [lane, turns, cost.usd, unpriced])).toEqual([
      ["lan_one", 2, 0.5, 1],
      [undefined, 1, 0.25, 0],
    ]);
    expect(total).toMatchObject({ turns: 3, cost: { usd: 0.75 }, unpriced: 1 });
    expect(at.store.usage(["session", "turn"]).rows).toHaveLength(3);
  });

  it("is that of a time, a session or a lane", () => {
    book("ses_a", "2026-11-15", "lan_one", [0.5]);
    book("ses_b", "2026-11-16", "lan_two", [0.25]);
    const usd = (filter: Parameters<typeof at.store.usage>[1]) => at.store.usage([], filter).total.cost.usd;
    const noon = "2026-11-15T12:00:00.000Z";
    expect([usd({ since: noon }), usd({ until: noon }), usd({ since: noon, until: noon })]).toEqual([0.25, 0.5, 0]);
    expect([usd({ session: "ses_a" }), usd({ lane: "lan_two" }), usd({ lane: "lan_none" })]).toEqual([0.5, 0.25, 0]);
  });

  it("has the median time to the first output of the turns that had one, per group and in total", () => {
    const times: Record<string, (number | undefined)[]> = {
      model_a: [300, undefined, 100, 900],
      model_b: [10, 20],
      model_c: [undefined],
    };
    for (const [servedModel, list] of Object.entries(times)) {
      const script = new Script(`ses_${servedModel}`);
      const turns = list.map((ttftMs) => turnEnd(10, { servedModel, ttftMs }));
      at.store.commit({ session: script.session, events: [...script.create(), ...script.add(...turns)] });
    }
    const read = () => {
      const { rows, total } = at.store.usage(["model", "agent"]);
      return { rows: Object.fromEntries(rows.map(({ model, ttftMs }) => [model, ttftMs])), total: total.ttftMs };
    };
    const expected = {
      rows: { model_a: { median: 300, turns: 3 }, model_b: { median: 15, turns: 2 }, model_c: undefined },
      total: { median: 100, turns: 5 },
    };
    expect(read()).toEqual(expected);
    at.store.rebuild("ses_model_a");
    expect(read()).toEqual(expected);
    expect(at.store.usage([], { session: "ses_model_b" }).total.ttftMs).toEqual({ median: 15, turns: 2 });
  });

  it("is the same after a rebuild", () => {
    book("ses_a", "2026-11-15", "lan_one", [0.5, undefined]);
    const before = at.store.usage(["lane", "turn", "day"]);
    at.store.rebuild("ses_a");
    expect(at.store.usage(["lane", "turn", "day"])).toEqual(before);
  });

  it("stays booked when sessions are deleted, also if their ids are used again", () => {
    for (const count of [1, 2, 3]) {
      book("ses_a", "2026-11-15", "lan_one", [0.5, 0.25]);
      at.store.rebuild("ses_a");
      expect(at.store.usage(["session"]).rows).toMatchObject([{ session: "ses_a", turns: count * 2 }]);
      at.store.sessions.delete("ses_a");
      expect(at.store.usage([]).total).toMatchObject({ turns: count * 2, cost: { usd: count * 0.75 } });
    }
  });
});
