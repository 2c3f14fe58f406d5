import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../targets/target.ts";
import type { Cell } from "./matrix.ts";
import type { Scenario } from "./scenario.ts";

/** The recorded result of every cell from its last run with `--update`, by target name and scenario name. */
export type Results = Record<string, Record<string, Pick<Cell, "result" | "problem">>>;

const FILE = join(import.meta.dirname, "results.gen.json");

export function readResults(): Results {
  try {
    return JSON.parse(readFileSync(FILE, "utf8")) as Results;
  } catch {
    return {};
  }
}

export function writeResults(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results, null, 1)}\n`);
}

/** True if the scenario is run with the target. */
export function isApplicable(target: Target, scenario: Scenario): boolean {
  return !target.leavesOut?.includes(scenario.name) && (scenario.appliesTo?.(target) ?? true);
}

/** The results, updated with these cells and without targets and scenarios that no longer exist. */
export function mergeCells(
  results: Results,
  cells: readonly Cell[],
  targets: readonly Target[],
  scenarios: readonly Scenario[],
): Results {
  return Object.fromEntries(
    targets.map((target) => {
      const rows = scenarios
        .filter((scenario) => isApplicable(target, scenario))
        .flatMap((scenario) => {
          const cell = cells.find((entry) => entry.target === target && entry.scenario === scenario);
          const known = results[target.name]?.[scenario.name];
          const { result, problem } = cell ?? known ?? {};
          return result ? [[scenario.name, { result, ...(problem ? { problem } : {}) }] as const] : [];
        });
      return [target.name, Object.fromEntries(rows)];
    }),
  );
}

/** The results as cells, for the table. */
export function cellsOf(results: Results, targets: readonly Target[], scenarios: readonly Scenario[]): Cell[] {
  return targets.flatMap((target) =>
    scenarios.flatMap((scenario) => {
      const known = results[target.name]?.[scenario.name];
      return known ? [{ target, scenario, seconds: 0, ...known }] : [];
    }),
  );
}

/** One line for every cell whose result differs from the recorded one. */
export function changesOf(results: Results, cells: readonly Cell[]): string[] {
  return cells.flatMap(({ target, scenario, result }) => {
    const before = results[target.name]?.[scenario.name]?.result;
    return before === undefined || before === result
      ? []
      : [`${target.name}, ${scenario.name}: ${before} before, now ${result}`];
  });
}
