// `npm run cycles`: one daemon that begins and ends sessions of every agent in turn; nothing may be left of them.
// `--cycles 200` in all; `--real` takes the vendors' own programs against a scripted model in place of fakes.
import { parseArgs } from "node:util";
import { type Cycle, runCycles } from "../e2e/cycles/cycles.ts";
import { fakeFleet, realFleet } from "../e2e/cycles/fleet.ts";
import { memoryOf, problemsOf } from "../e2e/cycles/verdict.ts";

const { values } = parseArgs({
  options: { cycles: { type: "string", default: "200" }, real: { type: "boolean", default: false } },
});
if (process.platform !== "linux") {
  process.stderr.write("The daemon's processes and files are looked up in /proc, and so this runs on Linux only.\n");
  process.exit(3);
}
const count = Number(values.cycles);
const report = await runCycles(() => count, values.real ? realFleet : fakeFleet, progress);
const { before, after } = memoryOf(report);
const total = report.cycles.reduce((sum, { ms }) => sum + ms, 0);
process.stdout.write(`\n${count} cycles over ${report.agents.length} agents: ${report.agents.join(", ")}\n`);
process.stdout.write(
  `${(total / count).toFixed(0)} ms a cycle; daemon ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB\n`,
);
const problems = problemsOf(report);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${problems.length === 0 ? "nothing left behind" : `${problems.length} problems`}\n`);
process.exit(problems.length > 0 ? 1 : 0);

function progress({ problem }: Cycle): void {
  process.stdout.write(problem ? "F" : ".");
}
