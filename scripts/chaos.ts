// `npm run chaos`: kills the daemon at random times during a turn and compares the log with that of an undisturbed turn.
// `--kills 50` per agent, `--agent codex` for one agent only, `--seed n` to repeat a run.
import { parseArgs } from "node:util";
import { type Subject, subjects } from "../e2e/chaos/subjects.ts";
import { type Run, runTurn } from "../e2e/chaos/turn.ts";
import { differences } from "../e2e/harness/event-story.ts";
import { seededRandom } from "../e2e/harness/seeded-random.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "10" }, agent: { type: "string" }, seed: { type: "string" } },
});
const kills = Number(values.kills);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const random = seededRandom(seed);
const chosen = subjects.filter(({ agent }) => !values.agent || agent === values.agent);

process.stdout.write(`chaos: ${kills} kills for each of ${chosen.map(({ name }) => name).join(", ")}; seed ${seed}\n`);
let failed = 0;
let passed = 0;
for (const subject of chosen) await killAtRandom(subject);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);

async function killAtRandom(subject: Subject): Promise<void> {
  const calm = await runTurn(subject, []);
  process.stdout.write(
    `\n${subject.name}: undisturbed turn of ${calm.events.length} events in ${calm.ms.toFixed(0)} ms\n`,
  );
  let done = 0;
  while (done < kills) {
    // Sometimes several kills in one turn: a recovering daemon is killed during its recovery.
    const count = Math.min(kills - done, random() < 0.2 ? 3 : 1);
    const moments = Array.from({ length: count }, () => random() * calm.ms).sort((a, b) => a - b);
    const problems = await compareRun(subject, calm, moments);
    done += count;
    if (problems.length === 0) passed++;
    else failed++;
    process.stdout.write(problems.length === 0 ? "." : "F");
    for (const problem of problems) {
      process.stdout.write(`\nkilled after ${moments.map((ms) => ms.toFixed(1)).join(", ")} ms: ${problem}\n`);
    }
  }
}

async function compareRun(subject: Subject, calm: Run, moments: number[]): Promise<string[]> {
  try {
    const run = await runTurn(subject, moments);
    const problems = differences(calm.story, run.story);
    if (run.written !== calm.written) problems.push(`the file holds ${JSON.stringify(run.written)}`);
    if (run.orphans.length > 0) problems.push(`left running: ${run.orphans.join("; ")}`);
    return problems;
  } catch (error) {
    return [(error as Error).message];
  }
}
