import type { UsageRow } from "@gantry/protocol";

export const measures = ["cost", "tokens", "turns"] as const;
export type Measure = (typeof measures)[number];
export const splits = ["agent", "model"] as const;
export type Split = (typeof splits)[number];

/** One name with its value per day and the total over all days. */
export type Series = { name: string; days: number[]; total: number };
export type DayChart = { days: string[]; series: Series[]; highest: number };

const MAX_SERIES = 6;
export const OTHERS = "Others";

export function measureOf(row: UsageRow, measure: Measure): number {
  if (measure === "cost") return row.cost.usd;
  return measure === "turns" ? row.turns : row.usage.input + row.usage.output;
}

/** Series for the last `count` days up to `today` (`2026-01-31`), including days without usage; largest series first. */
export function dayChart(
  rows: readonly UsageRow[],
  by: Split,
  measure: Measure,
  today: string,
  count: number,
): DayChart {
  const days = lastDays(today, count);
  const place = new Map(days.map((day, index) => [day, index]));
  const byName = new Map<string, Series>();
  for (const row of rows) {
    const index = place.get(row.day ?? "");
    if (index === undefined) continue;
    const name = row[by] || "Unknown";
    const series = byName.get(name) ?? { name, days: days.map(() => 0), total: 0 };
    const value = measureOf(row, measure);
    series.days[index] = (series.days[index] ?? 0) + value;
    series.total += value;
    byName.set(name, series);
  }
  const series = groupSmallSeries([...byName.values()].sort((a, b) => b.total - a.total));
  const sums = days.map((_, index) => series.reduce((sum, { days }) => sum + (days[index] ?? 0), 0));
  return { days, series, highest: Math.max(0, ...sums) };
}

/** Merges the smallest series into one, so that the colors of the chart stay distinguishable. */
function groupSmallSeries(series: Series[]): Series[] {
  if (series.length <= MAX_SERIES) return series;
  const [rest, large] = [series.slice(MAX_SERIES - 1), series.slice(0, MAX_SERIES - 1)];
  const days = rest[0]?.days.map((_, index) => rest.reduce((sum, { days }) => sum + (days[index] ?? 0), 0)) ?? [];
  return [...large, { name: OTHERS, days, total: rest.reduce((sum, { total }) => sum + total, 0) }];
}

function lastDays(today: string, count: number): string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}

/** A round number at or above the highest value, for the top of the scale. */
export function scaleTop(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= highest) ?? 10;
  return step * power;
}

/** Sums rows by one key, largest first. Medians cannot be summed: a sum of several rows has no time to the first output. */
export function sumBy(
  rows: readonly UsageRow[],
  key: "agent" | "model" | "session" | "lane",
  measure: Measure,
): UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const name = row[key] || "Unknown";
    const before = sums.get(name);
    const { turns, usage, cost, ttftMs } = row;
    sums.set(name, before ? addRows(before, row) : { [key]: name, turns, usage, cost, ttftMs });
  }
  return [...sums.values()].sort((a, b) => measureOf(b, measure) - measureOf(a, measure));
}

function addRows(a: UsageRow, b: UsageRow): UsageRow {
  return {
    ...a,
    ttftMs: undefined,
    turns: a.turns + b.turns,
    usage: {
      input: a.usage.input + b.usage.input,
      output: a.usage.output + b.usage.output,
      cacheRead: a.usage.cacheRead + b.usage.cacheRead,
      cacheWrite: a.usage.cacheWrite + b.usage.cacheWrite,
      reasoning: a.usage.reasoning + b.usage.reasoning,
    },
    cost: { usd: a.cost.usd + b.cost.usd, agent: a.cost.agent + b.cost.agent, list: a.cost.list + b.cost.list },
  };
}
