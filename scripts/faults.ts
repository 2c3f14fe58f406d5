// `npm run faults`: runs the fault agent against a real daemon, with and without SIGKILL in the middle, and prints which
// promises held. `--only <text>` runs the cases whose name contains the text, `--random <n>` runs n generated combinations
// instead, `--seed <n>` repeats a run, `--no-kill` and `--only-kill` leave out one of the two runs, `--update` writes the
// results of what was run to the table of docs/internals/faults.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { faultCases } from "../e2e/faults/cases.ts";
import { type FaultCase, nameOf } from "../e2e/faults/fault-case.ts";
import { generateCases } from "../e2e/faults/generate-cases.ts";
import {
  type FaultRun,
  faultTable,
  insertFaultTable,
  type RecordedFaults,
  recordFaults,
} from "../e2e/faults/report.ts";
import type { CaseResult } from "../e2e/faults/run-case.ts";
import { runCases } from "../e2e/faults/run-cases.ts";
import { useBundle } from "../e2e/harness/daemon-process.ts";
import { root } from "./steps.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    random: { type: "string" },
    seed: { type: "string" },
    "no-kill": { type: "boolean", default: false },
    "only-kill": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.exit(await main());

async function main(): Promise<number> {
  const all = values.random ? generateCases(faultCases, Number(values.random), seed) : faultCases;
  const cases = all.filter((one) => values.only?.some((text) => nameOf(one).includes(text)) ?? true);
  if (cases.length === 0) return refuse("There is no such case.");
  if (values.update && values.random)
    return refuse("The table has only its own combinations: --update without --random.");
  useBundle();
  const runs: FaultRun[] = [];
  if (!values["only-kill"]) runs.push(await runAndPrint("without a kill", cases, false));
  if (!values["no-kill"]) runs.push(await runAndPrint("with SIGKILL of the daemon", cases, true));
  if (values.update) update(runs);
  const broken = runs.flatMap(({ results }) => results).filter((result) => Object.keys(result.broken).length > 0);
  process.stdout.write(
    `\n${broken.length === 0 ? "Every promise held." : `${broken.length} cases broke a promise.`}\n`,
  );
  return broken.length === 0 ? 0 : 1;
}

async function runAndPrint(title: string, cases: readonly FaultCase[], kill: boolean): Promise<FaultRun> {
  process.stdout.write(`\n## ${title}, seed ${seed}\n`);
  const onResult = (result: CaseResult) => process.stdout.write(`${lineOf(result)}\n`);
  const { results, health } = await runCases(cases, { kill, seed, onResult });
  const [longest, floor] = [health.longestMs, health.floorMs].map(Math.round);
  process.stdout.write(`longest wait for /v1/health: ${longest} ms; of the idle server: ${floor} ms\n`);
  return { kill, results, health };
}

function update(runs: readonly FaultRun[]): void {
  const [results, page] = [join(root, "e2e/faults/results.gen.json"), join(root, "docs/internals/faults.md")];
  const earlier = existsSync(results) ? (JSON.parse(readFileSync(results, "utf8")) as RecordedFaults) : undefined;
  const recorded = recordFaults(new Date().toISOString().slice(0, 10), faultCases.map(nameOf), runs, earlier);
  writeFileSync(results, `${JSON.stringify(recorded, null, 2)}\n`);
  writeFileSync(page, insertFaultTable(readFileSync(page, "utf8"), faultTable(recorded)));
}

function lineOf({ name, outcome, broken }: CaseResult): string {
  const reasons = Object.entries(broken).map(([promise, reason]) => `\n    ${promise}: ${reason}`);
  return `${reasons.length === 0 ? "held  " : "BROKEN"}  ${name} → ${outcome.split(" ")[0]}${reasons.join("")}`;
}

function refuse(text: string): number {
  process.stderr.write(`${text}\n`);
  return 2;
}
