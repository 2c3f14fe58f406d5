// `npm run hostile`: attacks a real daemon and a real agent, and prints which attacks they held. `--suite <name>` runs one
// part, `--no-peers` leaves out the comparison, `--update` writes the table of SECURITY.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Suite } from "../e2e/hostile/attack.ts";
import { daemonSuite } from "../e2e/hostile/daemon/suite.ts";
import { localhost, openPeerSuites } from "../e2e/hostile/localhost/suite.ts";
import { insertTable, type RecordedRun, recordPart, resultLine, securityTable } from "../e2e/hostile/report.ts";
import { repositorySuite } from "../e2e/hostile/repository/suite.ts";
import { isBroken, runSuite, type SuiteResult } from "../e2e/hostile/run-suite.ts";
import { sandboxSuite } from "../e2e/hostile/sandbox/suite.ts";
import { shellSuite } from "../e2e/hostile/shell/suite.ts";
import { root } from "./steps.ts";

const SUITES: readonly Suite[] = [localhost, repositorySuite, sandboxSuite, shellSuite, daemonSuite];

const { values } = parseArgs({
  options: {
    suite: { type: "string", multiple: true },
    "no-peers": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});
process.exit(await main());

async function main(): Promise<number> {
  const suites = SUITES.filter(({ name }) => values.suite?.includes(name) ?? true);
  if (suites.length === 0) return refuse(`There is no such suite. The suites are: ${names(SUITES)}.`);
  if (values.update && (values.suite || values["no-peers"])) return refuse("--update needs a complete run.");
  const results: SuiteResult[] = [];
  for (const suite of suites) results.push(await runAndPrint(suite));
  const peers = values["no-peers"] || !suites.includes(localhost) ? [] : await runPeers();
  const run: RecordedRun = {
    at: new Date().toISOString().slice(0, 10),
    parts: results.map((result) => recordPart(result, result.suite === localhost.name ? peers : [])),
  };
  process.stdout.write(`\n${securityTable(run)}\n`);
  if (values.update) record(run);
  const broken = results.flatMap(({ results: all }) => all).filter(({ outcome }) => isBroken(outcome));
  process.stdout.write(`\n${broken.length === 0 ? "All attacks were held." : `${broken.length} NOT HELD:`}\n`);
  for (const result of broken) process.stdout.write(`${resultLine(result)}\n`);
  return broken.length === 0 ? 0 : 1;
}

async function runAndPrint(suite: Suite): Promise<SuiteResult> {
  process.stdout.write(`\n## ${suite.name}: ${suite.about}\n`);
  return runSuite(suite, (result) => process.stdout.write(`${resultLine(result)}\n`));
}

async function runPeers(): Promise<SuiteResult[]> {
  const { suites, missing } = await openPeerSuites();
  for (const name of missing) process.stderr.write(`\nNot compared, because it could not be started: ${name}\n`);
  const results: SuiteResult[] = [];
  for (const suite of suites) results.push(await runAndPrint(suite));
  return results;
}

function record(run: RecordedRun): void {
  writeFileSync(join(root, "e2e/hostile/results.gen.json"), `${JSON.stringify(run, null, 2)}\n`);
  const file = join(root, "SECURITY.md");
  writeFileSync(file, insertTable(readFileSync(file, "utf8"), securityTable(run)));
}

function names(suites: readonly Suite[]): string {
  return suites.map(({ name }) => name).join(", ");
}

function refuse(text: string): number {
  process.stderr.write(`${text}\n`);
  return 2;
}
