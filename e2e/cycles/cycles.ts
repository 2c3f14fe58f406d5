import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@gantry/client";
import { type DaemonProcess, startDaemonProcess } from "../harness/daemon-process.ts";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";
import { addedEntries, openFiles, residentMb } from "./daemon-figures.ts";
import type { Fleet } from "./fleet.ts";

/** One session from start to end, with its problem, if any. */
export type Cycle = { agent: string; number: number; ms: number; problem?: string };

export type Report = {
  agents: string[];
  cycles: Cycle[];
  /** Processes that still run at the end, and files that the daemon opened after the first round and did not close. */
  processes: string[];
  files: string[];
  /** The memory of the daemon after each cycle, in megabytes. */
  memory: number[];
};

/** Catches what hangs. A turn can be slow when every core is busy. */
const PATIENCE_MS = 180_000;

/**
 * Runs sessions of all agents in turn with one daemon: each is created, prompted, closed and deleted. `count` returns the
 * number of cycles for the number of agents. Resolves with a report of what was left, and cleans up.
 */
export async function runCycles(
  count: (agents: number) => number,
  makeFleet: (home: string) => Fleet | Promise<Fleet>,
  onCycle: (cycle: Cycle) => void = () => {},
): Promise<Report> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-cycles-"));
  const fleet = await makeFleet(home);
  const cwd = join(home, "project");
  mkdirSync(cwd);
  execFileSync("git", ["init", "-q", cwd]);
  // With a small heap, garbage is collected early, so growth means a leak; a daemon that leaks much would crash.
  const daemon = await startDaemonProcess(fleet.env, ["--max-old-space-size=64", "--max-semi-space-size=2"]);
  try {
    return await runRounds(count(fleet.agents.length), fleet, { home, cwd, daemon }, onCycle);
  } finally {
    await daemon.end("SIGTERM");
    for (const { pid } of processesOf(home)) kill(pid);
    await fleet.model?.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Environment = { home: string; cwd: string; daemon: DaemonProcess };

async function runRounds(count: number, { agents }: Fleet, world: Environment, onCycle: (cycle: Cycle) => void) {
  const { home, cwd, daemon } = world;
  const client = createClient({ url: daemon.url, token: daemon.token });
  const report: Report = { agents, cycles: [], processes: [], files: [], memory: [] };
  let first: string[] = [];
  for (let number = 0; number < count; number++) {
    const agent = agents[number % agents.length] ?? "";
    const started = performance.now();
    const problem = await runSession(client, agent, cwd);
    const cycle = { agent, number, ms: performance.now() - started, ...(problem ? { problem } : {}) };
    report.cycles.push(cycle);
    report.memory.push(residentMb(daemon.pid));
    onCycle(cycle);
    if (number + 1 === Math.min(count, agents.length)) first = await waitForQuiet(world);
  }
  await waitForQuiet(world);
  // Idle connections of this client are closed after a while.
  const files = () => addedEntries(first, openFiles(daemon.pid));
  await eventually("the daemon's files to be closed", () => files().length === 0, 15_000).catch(() => undefined);
  report.files = files();
  report.processes = listAgentProcesses(world).map(({ command }) => command);
  return report;

  function listAgentProcesses(from: Environment) {
    return processesOf(home).filter(({ pid }) => pid !== from.daemon.pid);
  }

  /** Waits up to 30 s until all agent processes have ended, and returns the open files of the daemon. */
  async function waitForQuiet(from: Environment): Promise<string[]> {
    await eventually("the end of all processes", () => listAgentProcesses(from).length === 0, 30_000).catch(
      () => undefined,
    );
    return openFiles(from.daemon.pid);
  }
}

/** Runs one session and returns its problem, if any. */
async function runSession(client: Client, agent: string, cwd: string): Promise<string | undefined> {
  try {
    const { id } = await client.sessions.create({ agent, cwd, mode: "ask", prompt: "[[text]] hello" });
    const done = await eventually(
      `the end of a turn of ${agent}`,
      async () => {
        const session = await client.sessions.get(id);
        return session.state === "idle" && session.turns > 0 ? session : undefined;
      },
      PATIENCE_MS,
    );
    await client.sessions.close(id);
    await client.sessions.delete(id);
    if (done.lastTurn?.outcome === "completed") return undefined;
    return `the turn was ${done.lastTurn?.outcome}: ${JSON.stringify(done.lastTurn?.error)}`;
  } catch (error) {
    return (error as Error).message;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
