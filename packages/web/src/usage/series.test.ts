import type { UsageRow } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { dayChart, OTHERS, scaleTop, sumBy } from "./series.ts";

function row(day: string, agent: string, usd: number, model = "m"): UsageRow {
  const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  return { day, agent, model, turns: 1, usage, cost: { usd, agent: usd, list: 0 } };
}

describe("dayChart", () => {
  it("includes days without usage and omits older days", () => {
    const chart = dayChart([row("2026-03-01", "a", 2), row("2026-01-01", "a", 9)], "agent", "cost", "2026-03-02", 3);
    expect(chart.days).toEqual(["2026-02-28", "2026-03-01", "2026-03-02"]);
    expect(chart.series).toEqual([{ name: "a", days: [0, 2, 0], total: 2 }]);
    expect(chart.highest).toBe(2);
  });

  it("merges the smallest series without changing the total", () => {
    const rows = Array.from({ length: 9 }, (_, index) => row("2026-03-02", `a${index}`, index + 1));
    const chart = dayChart(rows, "agent", "cost", "2026-03-02", 1);
    expect(chart.series.map(({ name }) => name)).toEqual(["a8", "a7", "a6", "a5", "a4", OTHERS]);
    expect(chart.series.reduce((sum, { total }) => sum + total, 0)).toBe(45);
    expect(chart.highest).toBe(45);
  });

  it("is empty without rows", () => {
    expect(dayChart([], "model", "tokens", "2026-03-02", 2)).toMatchObject({ series: [], highest: 0 });
  });
});

it("ends the scale at a round number", () => {
  expect([0, 0.03, 1, 7, 21, 260, 1000].map(scaleTop)).toEqual([1, 0.05, 1, 10, 25, 500, 1000]);
});

it("keeps the median of a single row, and shows none for a sum of several", () => {
  const timed = (agent: string) => ({ ...row("2026-03-01", agent, 1), ttftMs: { median: 40, turns: 3 } });
  const sums = sumBy([timed("a"), timed("b"), timed("b")], "agent", "cost");
  const medians = Object.fromEntries(sums.map(({ agent, ttftMs }) => [agent, ttftMs?.median]));
  expect(medians).toEqual({ a: 40, b: undefined });
});

it("sums rows by key, largest first", () => {
  const sums = sumBy(
    [row("2026-03-01", "a", 1), row("2026-03-02", "a", 1), row("2026-03-02", "b", 5)],
    "agent",
    "cost",
  );
  expect(sums.map(({ agent, turns, cost }) => [agent, turns, cost.usd])).toEqual([
    ["b", 1, 5],
    ["a", 2, 2],
  ]);
});
