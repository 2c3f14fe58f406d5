/**
 * Measures what the own agent's sandbox adds to a command: the median over the same command without it, next to
 * bubblewrap with a single mount, which is the least that any sandbox of this kind costs.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { profileFor } from "../packages/agent/src/sandbox/profile.ts";
import { findSandbox } from "../packages/agent/src/sandbox/sandbox.ts";

const ROUNDS = Number(process.argv[2] ?? 40);
const LIMIT_MS = 30;

const sandbox = await findSandbox("auto");
if (sandbox.kind === "none") {
  console.log(sandbox.why);
  process.exit(0);
}
const cwd = process.cwd();
const tmp = mkdtempSync(join(tmpdir(), "gantry-cost-"));
const options = { home: homedir(), agentDir: join(homedir(), ".gantry/agent"), env: process.env, tmp };
const times = { plain: [] as number[], least: [] as number[], sandbox: [] as number[] };
const runTimed = (list: number[], command: () => readonly string[]) => {
  const start = performance.now();
  const [program = "", ...args] = command();
  spawnSync(program, args, { cwd });
  list.push(performance.now() - start);
};
for (let round = 0; round < ROUNDS; round++) {
  runTimed(times.plain, () => ["true"]);
  runTimed(times.least, () => ["bwrap", "--ro-bind", "/", "/", "true"]);
  runTimed(times.sandbox, () => {
    const profile = profileFor(
      "auto-edit",
      [{ kind: "bash.mutating", command: "true" }],
      { cwd, folders: [] },
      options,
    );
    return sandbox.wrap(["true"], profile, cwd);
  });
}
rmSync(tmp, { recursive: true, force: true });

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const added = median(times.sandbox) - median(times.plain);
const least = median(times.least) - median(times.plain);
const ratio = (added / least).toFixed(1);
console.log(`sandbox: +${added.toFixed(1)} ms a command; least possible: +${least.toFixed(1)} ms; ratio ${ratio}`);
console.log(added < LIMIT_MS ? `under ${LIMIT_MS} ms` : `over ${LIMIT_MS} ms`);
