import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Bench } from "../harness/bench.ts";
import { gantryProgram } from "../harness/daemon-process.ts";

const run = promisify(execFile);
const VERSION = "0.19.1";
const CACHE = join(import.meta.dirname, "../../.cache", `acpx-${VERSION}`);
const TIMEOUT_MS = 180_000;

/** `acpx`, an ACP client of another project, drives the agent of the bench. Throws with the name of the step that fails. */
export async function driveWithAcpx(bench: Bench): Promise<void> {
  const program = await installAcpx();
  const { agent } = bench.target;
  const command = `${process.execPath} --disable-warning=ExperimentalWarning ${gantryProgram()} acp --agent ${agent} --mode ask`;
  const acpx = async (...args: string[]) => {
    const all = [program, "--agent", command, "--cwd", bench.folder, ...args];
    const { stdout } = await run(process.execPath, all, { env: bench.env, cwd: bench.folder, timeout: TIMEOUT_MS });
    return stdout;
  };
  await acpx("--approve-all", "--format", "json", "exec", "[[write]] go");
  if (bench.file("hello.txt") === undefined) throw new Error("acpx allowed the write, and there is no file");
  // It exits with an error when it denied a request.
  const denied = await acpx("--deny-all", "--format", "json", "exec", "[[bash]] go").catch(
    (error: { stdout?: string }) => error.stdout ?? "",
  );
  if (!denied.includes("session/request_permission")) throw new Error("the agent did not ask for the command");
  if (bench.file("bash.txt") !== undefined) throw new Error("acpx denied the command, and it ran");
  const id = (await acpx("sessions", "new")).trim();
  try {
    await acpx("--approve-all", "prompt", "[[text]] go");
    await acpx("set-mode", "plan");
    const { mode, modeApplied } = await bench.client.sessions.get(id);
    if ((modeApplied ?? mode) !== "plan") throw new Error(`acpx set the mode plan, and it is ${mode}`);
    if (!(await acpx("sessions", "list")).includes(id)) throw new Error("acpx does not list its session");
  } finally {
    await acpx("sessions", "close");
  }
}

/** Installs it once into the cache. Several processes may ask at once. */
async function installAcpx(): Promise<string> {
  const program = "node_modules/acpx/dist/cli.js";
  if (existsSync(join(CACHE, program))) return join(CACHE, program);
  await mkdir(join(CACHE, ".."), { recursive: true });
  const draft = await mkdtemp(`${CACHE}.installing-`);
  try {
    await writeFile(join(draft, "package.json"), '{ "private": true }\n');
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", `acpx@${VERSION}`], { cwd: draft });
    await rename(draft, CACHE).catch(() => {});
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return join(CACHE, program);
}
