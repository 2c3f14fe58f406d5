// `npm run conformance`: runs every scenario with every agent in every pinned version, against a scripted model. Compares
// the results with the recorded ones, or with `--update` records them and regenerates COMPATIBILITY.md. With `--latest` it
// also runs the vendors' newest versions and reports the differences.
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { vendorBinary } from "@gantry/testkit";
import { coreScenarios, groups } from "../e2e/conformance/groups.ts";
import { driftOf, type Newest, newestTargets, withVersion } from "../e2e/conformance/latest-versions.ts";
import { abandon, type Cell, type Plan, runMatrix } from "../e2e/conformance/matrix.ts";
import { compatibilityTable, failureText, progressLine } from "../e2e/conformance/report.ts";
import { cellsOf, changesOf, isApplicable, mergeCells, readResults, writeResults } from "../e2e/conformance/results.ts";
import { outlive } from "../e2e/conformance/scenarios/tasks.ts";
import { useBundle } from "../e2e/harness/daemon-process.ts";
import type { Target } from "../e2e/targets/target.ts";
import { targets } from "../e2e/targets/targets.ts";
import { root } from "./steps.ts";

const TABLE = join(root, "COMPATIBILITY.md");
const USAGE = `usage: npm run conformance -- [--agent <id>[@version]] [--scenario <name>] [--core] [--no-oldest] [--jobs <n>] [--retries <n>] [--outlive <s>] [--latest] [--update] [--list]
  --agent, --scenario   run only these (repeatable); a version that is not in the table is run, but not recorded
  --core                run only the scenarios that every usable agent must pass
  --no-oldest           leave out the oldest supported versions
  --retries             retry a broken cell up to <n> times and report it (default 0)
  --outlive             seconds by which background tasks outlive their turn in task-outlive (default 6; 60 for a release)
  --latest              also run the vendors' newest versions; they enter the table only with --update
  --update              record the results and regenerate COMPATIBILITY.md instead of comparing`;

const { values } = readArguments();
outlive.seconds = Number(values.outlive);
const scenarios = groups.flatMap((group) => group.scenarios);
if (values.list) {
  for (const { name, title } of scenarios) print(`${name.padEnd(20)} ${title}`);
  process.exit(0);
}
if (process.platform !== "linux") fail("The suite reads /proc and runs only on Linux.", 3);
const chosen = chooseTargets().filter(({ oldest }) => !values["no-oldest"] || !oldest);
const newest: Newest[] = values.latest ? await newestTargets(chosen, print) : [];
const tested = withNewest(chosen);
const plan = makePlan();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void abandon().finally(() => process.exit(130)));
}
await install(new Set(plan.map(({ target }) => target)));
useBundle();
const cells = await runMatrix(plan, { jobs: Number(values.jobs), retries: Number(values.retries) }, report());
process.exitCode = conclude(cells);

function readArguments() {
  const options = {
    agent: { type: "string", multiple: true, default: [] as string[] },
    scenario: { type: "string", multiple: true, default: [] as string[] },
    jobs: { type: "string", default: String(availableParallelism() + 1) },
    retries: { type: "string", default: "0" },
    outlive: { type: "string", default: String(outlive.seconds) },
    core: { type: "boolean", default: false },
    "no-oldest": { type: "boolean", default: false },
    latest: { type: "boolean", default: false },
    update: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  } as const;
  try {
    return parseArgs({ options });
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`, 2);
  }
}

function chooseTargets(): Target[] {
  if (values.agent.length === 0) return [...targets];
  return values.agent.flatMap((name) => {
    const matching = targets.filter(({ agent, version }) => name === agent || name === `${agent}@${version}`);
    const other = matching.length === 0 ? otherVersion(name) : undefined;
    if (matching.length === 0 && !other) fail(`No target matches --agent ${name}.`, 2);
    return other ? [other] : matching;
  });
}

/** A version that is not in the table, with the facts of the agent's newest one. Its results are not recorded. */
function otherVersion(name: string): Target | undefined {
  const [agent, version] = name.split("@");
  const known = targets.find((target) => target.agent === agent && !target.fake && !target.own);
  return known && version ? withVersion(known, version) : undefined;
}

/** Each newest version comes before the pinned one. */
function withNewest(pinned: readonly Target[]): Target[] {
  return pinned.flatMap((target) => [
    ...newest.flatMap((pair) => (pair.pinned === target ? [pair.latest] : [])),
    target,
  ]);
}

/** Ordered by scenario, then target, so that the slow scenarios of all agents do not run together at the end. */
function makePlan(): Plan {
  const names = new Set(scenarios.map(({ name }) => name));
  const unknown = values.scenario.find((name) => !names.has(name));
  if (unknown) fail(`There is no scenario ${unknown}. --list shows all of them.`, 2);
  return scenarios
    .filter(({ name }) => values.scenario.length === 0 || values.scenario.includes(name))
    .filter(({ name }) => !values.core || coreScenarios.includes(name))
    .flatMap((scenario) => tested.map((target) => ({ target, scenario })))
    .filter(({ target, scenario }) => isApplicable(target, scenario));
}

async function install(needed: ReadonlySet<Target>): Promise<void> {
  for (const target of needed) {
    print(
      `${target.name}: ${target.own ? "part of Gantry" : target.fake ? "a fake" : await vendorBinary({ agent: target.vendor ?? target.agent, version: target.version })}`,
    );
  }
}

function report(): (cell: Cell) => void {
  let done = 0;
  return (cell) => print(progressLine(cell, ++done, plan.length));
}

function conclude(cells: readonly Cell[]): number {
  const count = (result: Cell["result"]) => cells.filter((cell) => cell.result === result).length;
  const failures = failureText(cells);
  if (failures) print(`\n${failures}`);
  const drifted = recordOrCompare(cells);
  printDrift(cells);
  if (count("cannot") > 0) print(`${count("cannot")} not supported by the agent, and reported`);
  print(`${count("works") + count("cannot")} passed, ${count("broken")} failed`);
  // Failures of the newest versions do not fail the run.
  const broken = cells.some(({ target, result }) => result === "broken" && chosen.includes(target));
  return broken || drifted ? 1 : 0;
}

function printDrift(cells: readonly Cell[]): void {
  if (!values.latest) return;
  if (newest.length === 0) return print("No newer version was run.");
  const lines = driftOf(cells, newest);
  print(
    lines.length > 0
      ? `\nDifferent results with the newest versions:\n${lines.join("\n")}`
      : "The newest versions have the same results.",
  );
}

/** Records the results, or compares them with the recorded ones and returns true if they differ. */
function recordOrCompare(cells: readonly Cell[]): boolean {
  if (!values.update) {
    const changes = changesOf(
      readResults(),
      cells.filter(({ target }) => chosen.includes(target)),
    );
    if (changes.length === 0) return false;
    print(
      `The results differ from the recorded ones. Find the cause, then run these cells again with --update:\n${changes.join("\n")}`,
    );
    return true;
  }
  const shown = values.latest ? withNewest(targets) : targets;
  const results = mergeCells(readResults(), cells, shown, scenarios);
  writeResults(results);
  writeFileSync(TABLE, compatibilityTable(cellsOf(results, shown, scenarios), groups, shown));
  print("COMPATIBILITY.md was written");
  return false;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
