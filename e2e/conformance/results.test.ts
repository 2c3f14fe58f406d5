import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agents } from "@gantry/runtime";
import { expect, test } from "vitest";
import { targets } from "../targets/targets.ts";
import { groups } from "./groups.ts";
import type { Cell } from "./matrix.ts";
import { compatibilityTable } from "./report.ts";
import { cellsOf, changesOf, isApplicable, mergeCells, readResults } from "./results.ts";

const scenarios = groups.flatMap((group) => group.scenarios);
const [target] = targets;
const [scenario] = scenarios;

test("COMPATIBILITY.md matches the recorded results", () => {
  const table = compatibilityTable(cellsOf(readResults(), targets, scenarios), groups, targets);
  expect(readFileSync(join(import.meta.dirname, "../../COMPATIBILITY.md"), "utf8")).toBe(table);
});

test("both ends of every agent's range of supported versions have a column", () => {
  const missing = agents.flatMap(({ id, versions }) => {
    const columns = targets.filter(({ agent }) => agent === id).map(({ version }) => version.replace(/-.*/, ""));
    if (!versions || columns.length === 0) return [];
    const isOldest = (version: string) => `${version}.`.startsWith(`${versions.oldest}.`);
    const oldest = columns.some(isOldest) ? [] : [versions.oldest];
    const newest = columns.includes(versions.newest) ? [] : [versions.newest];
    return [...oldest, ...newest].map((version) => `${id} ${version}`);
  });
  expect(missing).toEqual([]);
});

test("there is a result for every scenario that applies to a target, except to one that is marked as partial", () => {
  const results = readResults();
  const complete = targets.filter(({ partial }) => !partial);
  const missing = complete.flatMap((one) =>
    scenarios
      .filter(({ name }) => results[one.name]?.[name] === undefined)
      .filter((entry) => isApplicable(one, entry))
      .map(({ name }) => `${one.name}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("a new result replaces only the old result of its cell", () => {
  if (!target || !scenario) throw new Error("no target");
  const before = { [target.name]: { [scenario.name]: { result: "works" as const } }, gone: {} };
  const cell: Cell = { target, scenario, result: "broken", seconds: 1, problem: "no answer" };
  expect(mergeCells(before, [cell], [target], [scenario])).toEqual({
    [target.name]: { [scenario.name]: { result: "broken", problem: "no answer" } },
  });
  expect(mergeCells(before, [], [target], [scenario])).toEqual({ [target.name]: before[target.name] });
  expect(changesOf(before, [cell])).toEqual([`${target.name}, ${scenario.name}: works before, now broken`]);
});
