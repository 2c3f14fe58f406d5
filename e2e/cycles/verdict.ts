import type { Report } from "./cycles.ts";

/** Growth beyond this factor after the first quarter counts as a leak. */
const GROWTH = 1.25;

/** The daemon's memory after the first quarter and at the end, in megabytes: the median of a quarter each. */
export function memoryOf({ memory }: Report): { before: number; after: number } {
  const quarter = Math.max(1, Math.floor(memory.length / 4));
  return { before: median(memory.slice(quarter, 2 * quarter)), after: median(memory.slice(-quarter)) };
}

/** One line per problem. Memory is checked only if there are at least 40 cycles. */
export function problemsOf(report: Report): string[] {
  const failed = report.cycles.filter(({ problem }) => problem);
  const { before, after } = memoryOf(report);
  const grown = report.cycles.length >= 40 && after > before * GROWTH;
  return [
    ...failed.map(({ agent, number, problem }) => `cycle ${number + 1}, ${agent}: ${problem}`),
    ...report.processes.map((command) => `left running: ${command}`),
    ...report.files.map((name) => `left open: ${name}`),
    ...(grown ? [`the daemon grew from ${before.toFixed(0)} to ${after.toFixed(0)} MB`] : []),
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
