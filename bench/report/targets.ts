import { type Cell, isHigherBetter, type Row, ratiosOf, type Section } from "./table.ts";

/** What a row must reach, as Gantry's figure divided by the other's in the same run. */
export type Target = {
  line: string;
  row: string;
  /** A floor, a peer, or `budget`. */
  against: string;
  ratio: number;
};

/** A rate must be at least this ratio, everything else at most. */
export const TARGETS: readonly Target[] = [
  { line: "acp", row: "rate", against: "sandbox-agent", ratio: 1.5 },
  { line: "acp", row: "delay, median", against: "sandbox-agent", ratio: 2 },
  { line: "burst", row: "rate", against: "bare pipe", ratio: 0.5 },
  { line: "burst", row: "delay, median", against: "sandbox-agent", ratio: 2 },
  { line: "quiet-session", row: "delay next to a flood, 99 %", against: "alone", ratio: 3 },
  { line: "ready", row: "ready", against: "empty Node server", ratio: 1.5 },
  { line: "ready", row: "memory, idle", against: "empty Node server", ratio: 1.4 },
  { line: "memory", row: "after the burst", against: "before", ratio: 1.15 },
  { line: "agent", row: "start to the first `get_state`", against: "empty Node process", ratio: 3 },
  { line: "cli", row: "`gantry ls`", against: "node -e 0", ratio: 2.5 },
  { line: "many-sessions", row: "wall time", against: "sandbox-agent", ratio: 1.2 },
  { line: "page", row: "opened, the end is painted, worst run", against: "budget", ratio: 1 },
];

export type Verdict = Target & {
  /** `undefined` if it was not measured in this run. */
  measured?: number;
  isMet: boolean | undefined;
  bound: string;
};

/** The verdict on every target of the measured lines. */
export function judge(sections: readonly Section[], targets: readonly Target[] = TARGETS): Verdict[] {
  return targets.flatMap((target) => {
    const section = sections.find(({ name }) => name === target.line);
    return section ? [judgeRow(target, section.rows)] : [];
  });
}

function judgeRow(target: Target, rows: readonly Row[]): Verdict {
  const row = rows.find(({ what }) => what === target.row);
  // A renamed row must not lose its target silently, nor end a run of twenty minutes.
  if (!row) return { ...target, bound: `${target.ratio}×, but there is no such row`, isMet: false };
  const isMinimum = isHigherBetter(row);
  const bound = `${isMinimum ? "≥" : "≤"} ${target.ratio}×`;
  const measured = ratiosOf(row)[target.against];
  if (measured === undefined) return { ...target, bound, isMet: hasFailed(row.gantry) ? false : undefined };
  return { ...target, bound, measured, isMet: isMinimum ? measured >= target.ratio : measured <= target.ratio };
}

function hasFailed(figure: Cell): boolean {
  return typeof figure !== "number" || Number.isNaN(figure);
}

/** The verdicts as a Markdown table. */
export function renderVerdicts(verdicts: readonly Verdict[], titles: ReadonlyMap<string, string>): string {
  const body = verdicts.map(({ line, row, against, bound, measured, isMet }) => {
    const result = isMet === undefined ? "not measured" : isMet ? "met" : "**missed**";
    return `| ${titles.get(line) ?? line}: ${row} | ${against} | ${bound} | ${measured?.toFixed(2) ?? "–"}${measured === undefined ? "" : "×"} | ${result} |`;
  });
  return ["| figure | against | target | measured | |", "| --- | --- | --- | --- | --- |", ...body].join("\n");
}
