import type { SessionView } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { budgetWarnings, findOverspent, nextDay, startOfDay } from "./budgets.ts";

const now = new Date(2026, 10, 16, 15, 30);
const view = (more: Partial<SessionView> = {}) => ({ id: "ses_a", ...more }) as SessionView;
const spent =
  (usd: number, unpriced = 0) =>
  () => ({ usd, unpriced });
const cost = (usd: number) => ({ usd, source: "agent" as const });

describe("a budget", () => {
  it("holds when it is exhausted, not before", () => {
    expect(findOverspent(view({ cost: cost(0.99) }), { sessionUsd: 1 }, spent(0), now)).toBeUndefined();
    expect(findOverspent(view({ cost: cost(1) }), { sessionUsd: 1 }, spent(0), now)).toMatchObject({
      window: "session",
    });
    expect(findOverspent(view(), { dayUsd: 5 }, spent(4.99), now)).toBeUndefined();
    expect(findOverspent(view(), { dayUsd: 5 }, spent(5), now)).toMatchObject({
      window: "day",
      resetsAt: new Date(2026, 10, 17).toISOString(),
    });
    expect(findOverspent(view({ cost: cost(1000) }), {}, spent(1000), now)).toBeUndefined();
  });

  it("of the session takes precedence over the default and over the daily one", () => {
    const own = view({ cost: cost(2), budget: { usd: 3 } });
    expect(findOverspent(own, { sessionUsd: 1 }, spent(0), now)).toBeUndefined();
    expect(findOverspent(view({ cost: cost(2) }), { sessionUsd: 1, dayUsd: 1 }, spent(9), now)?.window).toBe("session");
  });

  it("reports how many turns it does not count", () => {
    const text = findOverspent(view({ cost: cost(1), unpriced: 2 }), { sessionUsd: 1 }, spent(0), now)?.text;
    expect(text).toContain("(2 turns are not counted because the cost is unknown.)");
    expect(findOverspent(view(), { dayUsd: 1 }, spent(1, 1), now)?.text).toContain("(One turn is not counted");
  });

  it("warns once at four fifths, and once about the first turn of unknown cost", () => {
    const warn = (total: number, usd: number, day = 0) =>
      budgetWarnings(view({ cost: cost(total) }), { cost: { usd } }, { sessionUsd: 1, dayUsd: 10 }, spent(day));
    expect(warn(0.79, 0.2)).toEqual([]);
    expect(warn(0.8, 0.2)).toEqual(["The session has used $0.80 of its budget of $1.00."]);
    expect(warn(0.9, 0.05)).toEqual([]);
    expect(warn(0.5, 0.5, 7.5)).toEqual(["Today's sessions have used $8.00 of the daily budget of $10.00."]);
    const unknown = (unpriced: number) =>
      budgetWarnings(view({ unpriced }), { usage: {} }, { sessionUsd: 1 }, spent(0));
    expect([unknown(1).length, unknown(2).length]).toEqual([1, 0]);
    expect(budgetWarnings(view({ unpriced: 1 }), { usage: {} }, {}, spent(0))).toEqual([]);
  });

  it("uses local days, including those of 23 and 25 hours", () => {
    expect(startOfDay(now)).toEqual(new Date(2026, 10, 16));
    expect(nextDay(new Date(2026, 11, 31, 23, 59))).toEqual(new Date(2027, 0, 1));
  });
});
