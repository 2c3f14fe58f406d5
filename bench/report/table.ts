export type Unit = "ms" | "MB" | "kB" | "/s" | "×" | "";

/** A figure, or the reason why there is none. */
export type Cell = number | { cannot: string };

/** One measured line. Ratios are Gantry's figure divided by the other's. */
export type Row = {
  what: string;
  unit: Unit;
  gantry: Cell;
  /** The maximum of Gantry's figure. */
  budget?: number;
  /** The required value of Gantry's figure. */
  expected?: number;
  floor?: { what: string; value: number };
  peers?: Readonly<Record<string, Cell>>;
  /** A larger figure is better. By default this holds for rates only. */
  higherIsBetter?: true;
  /** The figure of each run, printed below the table. */
  runs?: readonly number[];
};

export type Section = { name: string; title: string; about: string; rows: Row[] };

const DIGITS: Record<Unit, number> = { ms: 0, MB: 0, kB: 1, "/s": 0, "×": 2, "": 0 };

/** Gantry's figure divided by another, by the name of the other. */
export type Ratios = Record<string, number>;

export function isHigherBetter({ higherIsBetter, unit }: Row): boolean {
  return higherIsBetter ?? unit === "/s";
}

/** The ratios of a row: to its floor, to each peer with a figure, and to its budget. */
export function ratiosOf({ gantry, floor, peers = {}, budget }: Row): Ratios {
  const others: [string, Cell | undefined][] = [
    ...(floor ? [[floor.what, floor.value] as [string, Cell]] : []),
    ...Object.entries(peers),
    ["budget", budget],
  ];
  return Object.fromEntries(
    others.flatMap(([name, other]) => {
      const ratio = divide(gantry, other);
      return ratio === undefined ? [] : [[name, ratio]];
    }),
  );
}

function divide(ours: Cell, other: Cell | undefined): number | undefined {
  if (typeof ours !== "number" || typeof other !== "number" || !(other > 0) || Number.isNaN(ours)) return undefined;
  return ours / other;
}

/** True if the row meets its budget or expected value; `undefined` if it has none. */
export function isMet({ gantry, budget, expected }: Row): boolean | undefined {
  if (budget === undefined && expected === undefined) return undefined;
  if (typeof gantry !== "number" || Number.isNaN(gantry)) return false;
  return expected === undefined ? gantry <= (budget ?? 0) : gantry === expected;
}

/** The rows as a Markdown table, with the single runs below it, for the file and for the terminal. */
export function renderTable(rows: readonly Row[], peers: readonly string[]): string {
  const head = ["", "Gantry", "budget", "floor", "ratio", ...peers.flatMap((peer) => [peer, "ratio"])];
  const body = rows.map((row) => [
    row.what,
    cell(row.gantry, row.unit),
    budgetCell(row),
    row.floor ? `${cell(row.floor.value, row.unit)} (${row.floor.what})` : "",
    row.floor ? ratio(row.gantry, row.floor.value) : "",
    ...peers.flatMap((peer) => [cell(row.peers?.[peer], row.unit), ratio(row.gantry, row.peers?.[peer])]),
  ]);
  const all = [head, ...body];
  const widths = head.map((_, column) => Math.max(3, ...all.map((line) => line[column]?.length ?? 0)));
  const draw = (line: string[]) => `| ${line.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const runs = rows.flatMap(({ what, unit, runs: all }) =>
    all ? [`\n${what}, each run: ${all.map((value) => cell(value, unit)).join(", ")}.`] : [],
  );
  return [draw(head), draw(widths.map((width) => "-".repeat(width))), ...body.map(draw), ...runs].join("\n");
}

function cell(value: Cell | undefined, unit: Unit): string {
  if (value === undefined) return "";
  if (typeof value === "object") return `cannot: ${value.cannot}`;
  if (Number.isNaN(value)) return "not measured";
  const isSmall = value !== 0 && Math.abs(value) < 10 && unit !== "";
  const digits = Math.max(DIGITS[unit], isSmall ? 1 : 0);
  const number = value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits });
  return unit === "" || unit === "/s" || unit === "×" ? `${number}${unit}` : `${number} ${unit}`;
}

function ratio(ours: Cell, other: Cell | undefined): string {
  const share = divide(ours, other);
  if (share === undefined) return "";
  return `${share >= 100 ? share.toFixed(0) : share >= 10 ? share.toFixed(1) : share.toFixed(2)}×`;
}

function budgetCell(row: Row): string {
  const met = isMet(row);
  if (met === undefined) return "";
  const bound = row.expected === undefined ? `≤ ${cell(row.budget, row.unit)}` : `= ${cell(row.expected, row.unit)}`;
  return `${bound} ${met ? "met" : "**missed**"}`;
}
