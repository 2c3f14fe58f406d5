import { isHigherBetter, type Ratios, ratiosOf, type Section } from "./table.ts";

/** A quick run has smaller numbers, so its ratios are compared with those of quick runs only. */
export type Kind = "full" | "quick";

/** The ratios of one recorded run, by line and row. */
export type Entry = { at: string; load: number; ratios: Record<string, Record<string, Ratios>> };

/** The last recorded runs, the newest first. */
export type History = Record<Kind, Entry[]>;

export const REGRESSION = 1.15;
const LENGTH = 5;

export type Change = {
  line: string;
  row: string;
  against: string;
  before: number;
  now: number;
  /** The date of the figure before. */
  since: string;
  /** Above 1 is worse, whichever direction is better for the row. */
  worsening: number;
};

/** Throws if the text is not a history. */
export function parseHistory(text: string): History {
  const { full, quick } = JSON.parse(text) as Partial<History>;
  if (!Array.isArray(full) || !Array.isArray(quick))
    throw new Error("bench/history.json needs the lists full and quick.");
  return { full, quick };
}

/** Adds a run and drops the oldest. */
export function record(history: History, kind: Kind, sections: readonly Section[], at: string, load: number): History {
  const ratios = Object.fromEntries(sections.map(({ name, rows }) => [name, comparable(rows)]));
  return { ...history, [kind]: [{ at, load, ratios }, ...history[kind]].slice(0, LENGTH) };
}

/** The change of each ratio since it was last recorded. A ratio that was never recorded has none. */
export function compare(history: History, kind: Kind, sections: readonly Section[]): Change[] {
  return sections.flatMap(({ name: line, rows }) =>
    Object.entries(comparable(rows)).flatMap(([row, ratios]) =>
      Object.entries(ratios).flatMap(([against, now]) => {
        const entry = history[kind].find(({ ratios: old }) => old[line]?.[row]?.[against] !== undefined);
        const before = entry?.ratios[line]?.[row]?.[against];
        const measured = rows.find(({ what }) => what === row);
        if (!entry || !measured || !before) return [];
        const worsening = isHigherBetter(measured) ? before / now : now / before;
        return [{ line, row, against, before, now, since: entry.at, worsening }];
      }),
    ),
  );
}

export function isRegression({ worsening }: Change): boolean {
  return worsening > REGRESSION;
}

/** Counts have expected values and no history. The budget is the last resort, since it depends on the machine. */
function comparable(rows: Section["rows"]): Record<string, Ratios> {
  const measured = rows
    .filter(({ expected }) => expected === undefined)
    .map((row) => {
      const { budget, ...others } = ratiosOf(row);
      const ratios = Object.keys(others).length === 0 && budget !== undefined ? { budget } : others;
      const rounded = Object.entries(ratios).map(([name, ratio]) => [name, Number(ratio.toPrecision(3))] as const);
      return [row.what, Object.fromEntries(rounded.filter(([, ratio]) => ratio > 0))] as const;
    });
  return Object.fromEntries(measured.filter(([, ratios]) => Object.keys(ratios).length > 0));
}

/** The changes as a Markdown table: every regression, every improvement of the same size, and the rows in `always`. */
export function renderChanges(changes: readonly Change[], always: (change: Change) => boolean): string {
  if (changes.length === 0) return "No ratio of this run was recorded before.";
  const isLarge = ({ worsening }: Change) => worsening > REGRESSION || worsening < 1 / REGRESSION;
  const shown = changes.filter((change) => isLarge(change) || always(change));
  const body = shown.map((change) => {
    const { line, row, against, before, now, since, worsening } = change;
    const factor = worsening >= 1 ? `${worsening.toFixed(2)}× worse` : `${(1 / worsening).toFixed(2)}× better`;
    const verdict = isRegression(change) ? `**REGRESSION, ${factor}**` : isLarge(change) ? factor : "same";
    return `| ${line}: ${row} | ${against} | ${before}× (${since.slice(0, 10)}) | ${now}× | ${verdict} |`;
  });
  const table = ["| figure | against | before | now | |", "| --- | --- | --- | --- | --- |", ...body];
  const rest = changes.length - shown.length;
  return [...(shown.length > 0 ? [table.join("\n")] : []), `${rest} other ratios changed by less than 15 %.`].join(
    "\n\n",
  );
}
