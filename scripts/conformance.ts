// `npm run conformance`: every scenario with every agent in every pinned version, against a scripted model. Compares
// what it finds with the results on record, or with `--update` records it and writes COMPATIBILITY.md anew. With
// `--latest` the vendors' newest versions run beside the pinned ones, and what is different with them is told.
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { vendorBinary } from "@gantry/testkit";
import { coreScenarios, groups } from "../e2e/conformance/groups.ts";
import { driftOf, type Newest, newestTargets } from "../e2e/conformance/latest-versions.ts";
import { abandon, type Cell, type Plan, runMatrix } from "../e2e/conformance/matrix.ts";
import { compatibilityTable, failureText, progressLine } from "../e2e/conformance/report.ts";
import { applies, cellsOf, changesOf, readResults, withCells, writeResults } from "../e2e/conformance/results.ts";
import { useBundle } from "../e2e/harness/daemon-process.ts";
import type { Target } from "../e2e/targets/target.ts";
import { targets } from "../e2e/targets/targets.ts";
import { root } from "./steps.ts";

const TABLE = join(root, "COMPATIBILITY.md");
const USAGE = `usage: npm run conformance -- [--agent <id>[@version]] [--scenario <name>] [--core] [--jobs <n>] [--retries <n>] [--latest] [--update] [--list]
  --agent, --scenario   only these (may be repeated)
  --core                only the scenarios without which an agent is of no use
  --retries             try what is broken so many times again, and say so (0)
  --latest              the vendors' newest versions too; only with --update are they written into the table
  --update              record the results and write COMPATIBILITY.md, instead of comparing with what is on record`;

const { values } = readArguments();
const scenarios = groups.flatMap((group) => group.scenarios);
if (values.list) {
  for (const { name, title } of scenarios) say(`${name.padEnd(20)} ${title}`);
  process.exit(0);
}
if (process.platform !== "linux") fail("The suite looks at processes in /proc and so runs on Linux only.", 3);
const chosen = chooseTargets();
const newest: Newest[] = values.latest ? await newestTargets(chosen, say) : [];
const tried = withNewest(chosen);
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
    core: { type: "boolean", default: false },
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
  const fitting = targets.filter(
    ({ agent, version }) =>
      values.agent.length === 0 || values.agent.includes(agent) || values.agent.includes(`${agent}@${version}`),
  );
  if (fitting.length === 0) fail(`No target fits --agent ${values.agent.join(", ")}.`, 2);
  return fitting;
}

/** Each newest version stands before the pinned one. */
function withNewest(pinned: readonly Target[]): Target[] {
  return pinned.flatMap((target) => [
    ...newest.flatMap((pair) => (pair.pinned === target ? [pair.latest] : [])),
    target,
  ]);
}

/** Target by target within a scenario, so that the slow ones of all agents do not come together at the end. */
function makePlan(): Plan {
  const names = new Set(scenarios.map(({ name }) => name));
  const unknown = values.scenario.find((name) => !names.has(name));
  if (unknown) fail(`There is no scenario ${unknown}; --list shows them all.`, 2);
  return scenarios
    .filter(({ name }) => values.scenario.length === 0 || values.scenario.includes(name))
    .filter(({ name }) => !values.core || coreScenarios.includes(name))
    .flatMap((scenario) => tried.map((target) => ({ target, scenario })))
    .filter(({ target, scenario }) => applies(target, scenario));
}

async function install(needed: ReadonlySet<Target>): Promise<void> {
  for (const target of needed) {
    say(`${target.name}: ${target.own ? "comes with Gantry" : target.fake ? "a fake" : await vendorBinary(target)}`);
  }
}

function report(): (cell: Cell) => void {
  let done = 0;
  return (cell) => say(progressLine(cell, ++done, plan.length));
}

function conclude(cells: readonly Cell[]): number {
  const count = (result: Cell["result"]) => cells.filter((cell) => cell.result === result).length;
  const failures = failureText(cells);
  if (failures) say(`\n${failures}`);
  const drifted = settle(cells);
  tellDrift(cells);
  if (count("cannot") > 0) say(`${count("cannot")} beyond the agents themselves, and said so`);
  say(`${count("works") + count("cannot")} passed, ${count("broken")} failed`);
  // The newest versions are news, not a failure of what is pinned.
  const broken = cells.some(({ target, result }) => result === "broken" && chosen.includes(target));
  return broken || drifted ? 1 : 0;
}

function tellDrift(cells: readonly Cell[]): void {
  if (!values.latest) return;
  if (newest.length === 0) return say("No newer version was tried.");
  const lines = driftOf(cells, newest);
  say(
    lines.length > 0
      ? `\nDifferent with the newest versions:\n${lines.join("\n")}`
      : "Nothing is different with the newest versions.",
  );
}

/** Records the results or compares with those on record. Has anything drifted? */
function settle(cells: readonly Cell[]): boolean {
  if (!values.update) {
    const changes = changesOf(
      readResults(),
      cells.filter(({ target }) => chosen.includes(target)),
    );
    if (changes.length === 0) return false;
    say(`Not what is on record (look at what changed, then run these again with --update):\n${changes.join("\n")}`);
    return true;
  }
  const shown = values.latest ? withNewest(targets) : targets;
  const results = withCells(readResults(), cells, shown, scenarios);
  writeResults(results);
  writeFileSync(TABLE, compatibilityTable(cellsOf(results, shown, scenarios), groups, shown));
  say("COMPATIBILITY.md is written");
  return false;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
