import { loadavg } from "node:os";
import { type Change, isRegression, type Kind, renderChanges } from "./history.ts";
import { hasTarget } from "./report.ts";
import { isMet, type Section } from "./table.ts";
import { judge, renderVerdicts, type Verdict } from "./targets.ts";

export type Run = {
  kind: Kind;
  sections: readonly Section[];
  changes: readonly Change[];
  /** The peers that could not be installed. */
  missing: readonly string[];
  /** The lines without figures, with the reason. */
  skipped: readonly string[];
  seconds: number;
  loadBefore: number;
};

/** The end of the output of a run. */
export function summarise(run: Run): string {
  const { sections, changes, kind } = run;
  const rows = sections.flatMap(({ title, rows: own }) => own.map((row) => ({ title, row })));
  const missed = rows.filter(({ row }) => isMet(row) === false);
  const titles = new Map(sections.map(({ name, title }) => [name, title]));
  const parts = [
    `## Targets\n\n${renderVerdicts(judge(sections), titles)}`,
    `## Changes against the last recorded ${kind} run\n\n${renderChanges(changes, hasTarget)}`,
    ...missed.map(({ title, row }) => `missed: ${title}: ${row.what}`),
    ...run.missing.map((name) => `NOT COMPARED with ${name}: it could not be installed.`),
    ...run.skipped.map((line) => `NOT MEASURED: ${line}`),
    `${rows.length} figures in ${Math.round(run.seconds)} s, load average ${run.loadBefore.toFixed(1)} before and ${loadavg()[0]?.toFixed(1)} after`,
    `${missed.length} budgets missed, ${changes.filter(isRegression).length} regressions over 15 %`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/**
 * The exit status. Every run fails for wrong counts: events lost, reordered or not stored, orphans. A full run also fails if
 * a line failed, or if a figure got more than 15 % worse and misses its target. A quick run judges no speed.
 */
export function exitStatus(run: Pick<Run, "kind" | "sections" | "changes" | "skipped">): number {
  const { kind, sections, changes } = run;
  const counts = sections.flatMap(({ rows }) => rows).filter(({ expected }) => expected !== undefined);
  // A line that failed has no number; that can be the machine, and it is printed.
  if (counts.some((row) => typeof row.gantry === "number" && !Number.isNaN(row.gantry) && !isMet(row))) return 1;
  if (kind === "quick") return 0;
  if (run.skipped.length > 0) return 1;
  const isSame = (verdict: Verdict, change: Change) =>
    verdict.line === change.line && verdict.row === change.row && verdict.against === change.against;
  const missed = judge(sections).filter(({ isMet: met }) => met === false);
  return changes.some((change) => isRegression(change) && missed.some((verdict) => isSame(verdict, change))) ? 1 : 0;
}
