import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, type History, isRegression, parseHistory, record, renderChanges } from "./history.ts";
import type { Row, Section } from "./table.ts";

const EMPTY: History = { full: [], quick: [] };

function line(...rows: Row[]): Section[] {
  return [{ name: "burst", title: "A burst", about: "", rows }];
}

function rate(gantry: number, floor = 100): Row {
  return { what: "rate", unit: "/s", gantry, floor: { what: "pipe", value: floor } };
}

function delay(gantry: number, floor = 100): Row {
  return { what: "delay", unit: "ms", gantry, floor: { what: "pipe", value: floor } };
}

/** The changes from one recorded run to the next. */
function changesBetween(before: Row, after: Row) {
  return compare(record(EMPTY, "full", line(before), "2026-11-16", 0), "full", line(after));
}

describe("compare", () => {
  it("marks a lower rate and a longer delay as regressions, and the opposite as none", () => {
    expect(changesBetween(rate(50), rate(40)).map(isRegression)).toEqual([true]);
    expect(changesBetween(rate(40), rate(50)).map(isRegression)).toEqual([false]);
    expect(changesBetween(delay(40), delay(50)).map(isRegression)).toEqual([true]);
    expect(changesBetween(delay(50), delay(40)).map(isRegression)).toEqual([false]);
  });

  it("treats a row with higherIsBetter like a rate", () => {
    const share = (gantry: number): Row => ({ ...delay(gantry), unit: "×", higherIsBetter: true });
    expect(changesBetween(share(50), share(40)).map(isRegression)).toEqual([true]);
  });

  it("compares ratios, so that a slower machine changes nothing", () => {
    expect(changesBetween(delay(50, 100), delay(500, 1000)).map(({ worsening }) => worsening)).toEqual([1]);
  });

  it("marks exactly the changes for the worse that are larger than 15 %", () => {
    const figure = fc.double({ min: 1, max: 1000, noNaN: true });
    fc.assert(
      fc.property(figure, figure, fc.boolean(), (before, after, isRate) => {
        const make = isRate ? rate : delay;
        const [change] = changesBetween(make(before), make(after));
        const worsening = isRate ? before / after : after / before;
        // The history has three digits.
        fc.pre(Math.abs(worsening - 1.15) > 0.02);
        expect(change && isRegression(change)).toBe(worsening > 1.15);
      }),
    );
  });

  it("compares quick runs with quick runs only", () => {
    const history = record(EMPTY, "full", line(rate(50)), "2026-11-16", 0);
    expect(compare(history, "quick", line(rate(10)))).toEqual([]);
    expect(compare(record(history, "quick", line(rate(20)), "2026-11-17", 0), "quick", line(rate(10)))).toMatchObject([
      { before: 0.2, now: 0.1, since: "2026-11-17" },
    ]);
  });

  it("compares a peer with the last run in which it was measured", () => {
    const withPeer: Row = { ...delay(50), peers: { peer: 25 } };
    const first = record(EMPTY, "full", line(withPeer), "2026-11-15", 0);
    const history = record(
      first,
      "full",
      line({ ...delay(60), peers: { peer: { cannot: "absent" } } }),
      "2026-11-16",
      0,
    );
    const changes = compare(history, "full", line(withPeer));
    expect(changes).toMatchObject([
      { against: "pipe", before: 0.6, since: "2026-11-16" },
      { against: "peer", before: 2, since: "2026-11-15" },
    ]);
  });

  it("leaves out counts, figures that were not measured and new rows", () => {
    const rows: Row[] = [
      { ...rate(50), what: "lost", expected: 0 },
      { ...rate(Number.NaN), what: "failed" },
      { ...rate(50), what: "impossible", gantry: { cannot: "no" } },
    ];
    const history = record(EMPTY, "full", line(...rows), "2026-11-16", 0);
    expect(history.full[0]?.ratios).toEqual({ burst: {} });
    expect(compare(history, "full", line(...rows, rate(50)))).toEqual([]);
  });

  it("uses the budget only for a row that has nothing else to compare with", () => {
    const history = record(EMPTY, "full", line({ what: "opened", unit: "ms", gantry: 200, budget: 250 }), "2026", 0);
    expect(history.full[0]?.ratios).toEqual({ burst: { opened: { budget: 0.8 } } });
    expect(record(EMPTY, "full", line({ ...delay(50), budget: 10 }), "2026", 0).full[0]?.ratios).toEqual({
      burst: { delay: { pipe: 0.5 } },
    });
  });
});

describe("record", () => {
  it("stores five runs of each kind, the newest first", () => {
    let history = EMPTY;
    for (let day = 1; day <= 7; day++) history = record(history, "full", line(rate(day)), `day ${day}`, 0);
    history = record(history, "quick", line(rate(1)), "quick", 0);
    expect(history.full.map(({ at }) => at)).toEqual(["day 7", "day 6", "day 5", "day 4", "day 3"]);
    expect(history.quick.map(({ at }) => at)).toEqual(["quick"]);
    expect(parseHistory(JSON.stringify(history))).toEqual(history);
  });

  it("reads the recorded file, and refuses another", () => {
    expect(() => parseHistory(readFileSync(new URL("../history.json", import.meta.url), "utf8"))).not.toThrow();
    expect(() => parseHistory("{}")).toThrow("needs the lists");
  });
});

describe("renderChanges", () => {
  it("prints regressions, improvements and chosen rows, and counts the others", () => {
    const changes = [...changesBetween(rate(50), rate(25)), ...changesBetween(delay(50), delay(25))];
    const same = changesBetween({ ...delay(50), what: "same" }, { ...delay(51), what: "same" });
    const text = renderChanges([...changes, ...same], () => false);
    expect(text).toContain("| burst: rate | pipe | 0.5× (2026-11-16) | 0.25× | **REGRESSION, 2.00× worse** |");
    expect(text).toContain("| burst: delay | pipe | 0.5× (2026-11-16) | 0.25× | 2.00× better |");
    expect(text).toContain("1 other ratios");
    expect(renderChanges(same, () => true)).toContain("| burst: same | pipe | 0.5× (2026-11-16) | 0.51× | same |");
    expect(renderChanges([], () => true)).toContain("recorded before");
  });
});
