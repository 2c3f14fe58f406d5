import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { targets } from "../targets/targets.ts";
import { groups } from "./groups.ts";
import type { Cell } from "./matrix.ts";
import { compatibilityTable } from "./report.ts";
import { applies, cellsOf, changesOf, readResults, withCells } from "./results.ts";

const scenarios = groups.flatMap((group) => group.scenarios);
const [target] = targets;
const [scenario] = scenarios;

test("COMPATIBILITY.md is what the results give", () => {
  const table = compatibilityTable(cellsOf(readResults(), targets, scenarios), groups, targets);
  expect(readFileSync(join(import.meta.dirname, "../../COMPATIBILITY.md"), "utf8")).toBe(table);
});

test("every agent was tried with every scenario that it is to be tried with", () => {
  const results = readResults();
  const missing = targets.flatMap((one) =>
    scenarios
      .filter(({ name }) => results[one.name]?.[name] === undefined)
      .filter((entry) => applies(one, entry))
      .map(({ name }) => `${one.name}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("a new result takes the place of the old one and of no other", () => {
  if (!target || !scenario) throw new Error("no target");
  const before = { [target.name]: { [scenario.name]: { result: "works" as const } }, gone: {} };
  const cell: Cell = { target, scenario, result: "broken", seconds: 1, problem: "no answer" };
  expect(withCells(before, [cell], [target], [scenario])).toEqual({
    [target.name]: { [scenario.name]: { result: "broken", problem: "no answer" } },
  });
  expect(withCells(before, [], [target], [scenario])).toEqual({ [target.name]: before[target.name] });
  expect(changesOf(before, [cell])).toEqual([`${target.name}, ${scenario.name}: works before, now broken`]);
});
