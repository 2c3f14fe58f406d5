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

/** Only the core scenarios were run with these. */
const incomplete = ["Pi 0.75.1", "OpenCode 1.3.0", "Gemini CLI 0.41.0", "Qwen Code 0.15.6"];
incomplete.push("Copilot CLI 1.0.85", "Kimi Code 0.43.0");

test("there is a result for every scenario that applies to a target", () => {
  const results = readResults();
  const complete = targets.filter(({ name }) => !incomplete.includes(name));
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
