import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@gantry/client";
import { type DaemonProcess, startDaemonProcess } from "../harness/daemon-process.ts";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";
import { additional, openFiles, residentMb } from "./daemon-figures.ts";
import type { Fleet } from "./fleet.ts";

/** A session from its beginning to its end, and what was wrong with it, if anything was. */
export type Cycle = { agent: string; number: number; ms: number; problem?: string };

export type Report = {
  agents: string[];
  cycles: Cycle[];
  /** What still ran at the end, and what the daemon still had open that it had not after the first round. */
  processes: string[];
  files: string[];
  /** Megabytes of the daemon after each cycle. */
  memory: number[];
};

/** Against what hangs: with every core busy a turn may take its time. */
const PATIENCE_MS = 180_000;

/**
 * One daemon that starts and ends sessions of all agents in turn: each is made, prompted, waited for, closed and
 * removed. `count` says how many, given the number of agents. Resolves with what was left of it all; nothing of it
 * remains.
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
  // With a small heap garbage is collected soon, so that what grows is what is held; a daemon that holds more would end.
  const daemon = await startDaemonProcess(fleet.env, ["--max-old-space-size=64", "--max-semi-space-size=2"]);
  try {
    return await turnRound(count(fleet.agents.length), fleet, { home, cwd, daemon }, onCycle);
  } finally {
    await daemon.end("SIGTERM");
    for (const { pid } of processesOf(home)) kill(pid);
    await fleet.model?.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

type World = { home: string; cwd: string; daemon: DaemonProcess };

async function turnRound(count: number, { agents }: Fleet, world: World, onCycle: (cycle: Cycle) => void) {
  const { home, cwd, daemon } = world;
  const client = createClient({ url: daemon.url, token: daemon.token });
  const report: Report = { agents, cycles: [], processes: [], files: [], memory: [] };
  let first: string[] = [];
  for (let number = 0; number < count; number++) {
    const agent = agents[number % agents.length] ?? "";
    const started = performance.now();
    const problem = await oneSession(client, agent, cwd);
    const cycle = { agent, number, ms: performance.now() - started, ...(problem ? { problem } : {}) };
    report.cycles.push(cycle);
    report.memory.push(residentMb(daemon.pid));
    onCycle(cycle);
    if (number + 1 === Math.min(count, agents.length)) first = await settled(world);
  }
  await settled(world);
  // Idle connections of this client are closed after a while.
  const files = () => additional(first, openFiles(daemon.pid));
  await eventually("the daemon's files to be closed", () => files().length === 0, 15_000).catch(() => undefined);
  report.files = files();
  report.processes = ours(world).map(({ command }) => command);
  return report;

  function ours(from: World) {
    return processesOf(home).filter(({ pid }) => pid !== from.daemon.pid);
  }

  /** Waits until all that was started has ended, at most a while. What the daemon then has open. */
  async function settled(from: World): Promise<string[]> {
    await eventually("the end of all processes", () => ours(from).length === 0, 30_000).catch(() => undefined);
    return openFiles(from.daemon.pid);
  }
}

/** What went wrong, if anything did. */
async function oneSession(client: Client, agent: string, cwd: string): Promise<string | undefined> {
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
    // It ended by itself in the meantime.
  }
}
