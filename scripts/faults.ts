// `npm run faults`: runs the fault agent against a real daemon, with and without SIGKILL in the middle, and prints which
// promises held. `--only <text>` runs the cases whose name contains the text, `--no-kill` leaves out the second run,
// `--update` writes the table of docs/internals/faults.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FaultCase, faultCases } from "../e2e/faults/cases.ts";
import { faultTable, insertFaultTable, recordFaults } from "../e2e/faults/report.ts";
import { type CaseResult, nameOf } from "../e2e/faults/run-case.ts";
import { runCases } from "../e2e/faults/run-cases.ts";
import { root } from "./steps.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    seed: { type: "string" },
    "no-kill": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
process.exit(await main());

async function main(): Promise<number> {
  const cases = faultCases.filter((one) => values.only?.some((text) => nameOf(one).includes(text)) ?? true);
  if (cases.length === 0) return refuse("There is no such case.");
  if (values.update && (values.only || values["no-kill"])) return refuse("--update needs a complete run.");
  const calm = await runAndPrint("without a kill", cases, false);
  const killed = values["no-kill"] ? [] : await runAndPrint("with SIGKILL of the daemon", cases, true);
  const recorded = recordFaults(new Date().toISOString().slice(0, 10), calm, killed);
  if (values.update) {
    writeFileSync(join(root, "e2e/faults/results.gen.json"), `${JSON.stringify(recorded, null, 2)}\n`);
    const page = join(root, "docs/internals/faults.md");
    writeFileSync(page, insertFaultTable(readFileSync(page, "utf8"), faultTable(recorded)));
  }
  const broken = [...calm, ...killed].filter((result) => Object.keys(result.broken).length > 0);
  process.stdout.write(
    `\n${broken.length === 0 ? "Every promise held." : `${broken.length} cases broke a promise.`}\n`,
  );
  return broken.length === 0 ? 0 : 1;
}

async function runAndPrint(title: string, cases: readonly FaultCase[], kill: boolean): Promise<CaseResult[]> {
  process.stdout.write(`\n## ${title}, seed ${seed}\n`);
  return runCases(cases, { kill, seed, onResult: (result) => process.stdout.write(`${lineOf(result)}\n`) });
}

function lineOf({ name, outcome, broken }: CaseResult): string {
  const reasons = Object.entries(broken).map(([promise, reason]) => `\n    ${promise}: ${reason}`);
  return `${reasons.length === 0 ? "held  " : "BROKEN"}  ${name} → ${outcome.split(" ")[0]}${reasons.join("")}`;
}

function refuse(text: string): number {
  process.stderr.write(`${text}\n`);
  return 2;
}
