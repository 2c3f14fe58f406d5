import { describe, expect, it } from "vitest";
import type { Change } from "./history.ts";
import { report } from "./report.ts";
import { exitStatus, summarise } from "./summary.ts";
import { type Row, ratiosOf, renderTable, type Section } from "./table.ts";
import { judge, renderVerdicts, TARGETS, type Target } from "./targets.ts";

const rate: Row = {
  what: "rate",
  unit: "/s",
  gantry: 300,
  floor: { what: "pipe", value: 1000 },
  peers: { peer: 150, other: { cannot: "it stores nothing" } },
};
const lost: Row = { what: "lost", unit: "", gantry: 0, expected: 0 };

function sectionOf(name: string, ...rows: Row[]): Section {
  return { name, title: `The ${name}`, about: "How it is measured.", rows };
}

function target(against: string, ratio: number): Target {
  return { line: "burst", row: "rate", against, ratio };
}

const isMetIn = (row: Row, one: Target) => judge([sectionOf("burst", row)], [one])[0]?.isMet;

describe("targets", () => {
  it("are lower bounds for rates and upper bounds for everything else", () => {
    expect(isMetIn(rate, target("peer", 1.5))).toBe(true);
    expect(isMetIn(rate, target("peer", 2.5))).toBe(false);
    expect(isMetIn({ ...rate, unit: "ms" }, target("peer", 1.5))).toBe(false);
    expect(isMetIn({ ...rate, unit: "ms" }, target("peer", 2.5))).toBe(true);
  });

  it("are not judged without the peer, and missed without a figure of Gantry", () => {
    expect(isMetIn({ ...rate, peers: {} }, target("peer", 1.5))).toBeUndefined();
    expect(isMetIn({ ...rate, gantry: { cannot: "failed" } }, target("peer", 1.5))).toBe(false);
    expect(renderVerdicts(judge([sectionOf("burst", rate)], [target("absent", 2)]), new Map())).toContain(
      "not measured",
    );
  });

  it("can be the budget of the row", () => {
    expect(isMetIn({ what: "rate", unit: "ms", gantry: 260, budget: 250 }, target("budget", 1))).toBe(false);
  });

  it("are missed if their line has no such row", () => {
    expect(judge([sectionOf("burst", lost)], [target("peer", 1)])).toMatchObject([
      { isMet: false, bound: "1×, but there is no such row" },
    ]);
  });

  it("are judged for the measured lines only", () => {
    expect(judge([sectionOf("unknown", rate)])).toEqual([]);
    expect(TARGETS.length).toBeGreaterThan(10);
  });
});

describe("a row", () => {
  it("has a ratio to everything that has a figure", () => {
    expect(ratiosOf({ ...rate, budget: 600 })).toEqual({ pipe: 0.3, peer: 2, budget: 0.5 });
  });

  it("is printed with each of its runs", () => {
    expect(renderTable([{ what: "opened", unit: "ms", gantry: 260, runs: [210, 260] }], [])).toContain(
      "opened, each run: 210 ms, 260 ms.",
    );
  });
});

const run = { kind: "full", sections: [sectionOf("counts", lost)], changes: [], missing: [], skipped: [] } as const;

describe("the exit status", () => {
  it("is 1 for a wrong count, in a quick run too", () => {
    const sections = [sectionOf("counts", { ...lost, gantry: 3 })];
    expect(exitStatus({ ...run, sections })).toBe(1);
    expect(exitStatus({ ...run, kind: "quick", sections })).toBe(1);
    expect(exitStatus(run)).toBe(0);
  });

  it("is 0 for a quick run whose lines failed, and 1 for a full one", () => {
    const failed = { ...run, sections: [sectionOf("x", { ...lost, gantry: { cannot: "failed" } })], skipped: ["y"] };
    expect(exitStatus({ ...failed, kind: "quick" })).toBe(0);
    expect(exitStatus(failed)).toBe(1);
  });

  it("is 1 for a regression that misses its target, in a full run only", () => {
    const ready: Row = { what: "ready", unit: "ms", gantry: 300, floor: { what: "empty Node server", value: 100 } };
    const idle: Row = { ...ready, what: "memory, idle", gantry: 100 };
    const worse: Change = {
      line: "ready",
      row: "ready",
      against: "empty Node server",
      before: 2,
      now: 3,
      since: "2026-11-16",
      worsening: 1.5,
    };
    const slower = { ...run, sections: [sectionOf("ready", ready, idle)], changes: [worse] };
    expect(exitStatus(slower)).toBe(1);
    expect(exitStatus({ ...slower, kind: "quick" })).toBe(0);
    expect(exitStatus({ ...slower, changes: [{ ...worse, worsening: 1.1 }] })).toBe(0);
    expect(exitStatus({ ...slower, changes: [{ ...worse, row: "memory, idle" }] })).toBe(0);
  });
});

describe("the output", () => {
  it("names the peers that were not compared and the lines without figures", () => {
    const text = summarise({ ...run, missing: ["peer"], skipped: ["page: it failed: no"], seconds: 2, loadBefore: 1 });
    expect(text).toContain("NOT COMPARED with peer");
    expect(text).toContain("NOT MEASURED: page: it failed: no");
    expect(text).toContain("load average 1.0 before");
  });

  it("lists in the file what Gantry misses, and where a peer is better", () => {
    const slow: Row = {
      what: "rate",
      unit: "/s",
      gantry: 100,
      floor: { what: "bare pipe", value: 1000 },
      peers: { peer: 250 },
    };
    const delay: Row = { what: "delay, median", unit: "ms", gantry: 10, peers: { "sandbox-agent": 9.5 } };
    const conditions = { at: "2026-11-17T10:00:00Z", seconds: 60, loadBefore: 1, missing: ["absent"] };
    const text = report([sectionOf("burst", slow, delay)], ["peer"], [], conditions);
    expect(text).toContain("**rate** misses its target: it is 0.10×, and must be ≥ 0.5× of bare pipe.");
    expect(text).toContain("rate is 2.5× worse than peer's.");
    expect(text).toContain("**absent could not be installed and was not measured.**");
    expect(text).not.toContain("delay, median is");
  });
});
