import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gantry } from "./gantry.ts";
import { findMarked, until } from "./measure.ts";
import type { Contestant, Server } from "./server.ts";
import type { Cell, Section } from "./table.ts";

/** What a line of the benchmark works with. */
export type Context = {
  quick: boolean;
  peers: readonly Contestant[];
  /** A new folder that is removed at the end of the run. */
  scratch(name: string): string;
  log(text: string): void;
};

/** How long a process may run after its server has ended. */
const GRACE_MS = 5_000;

export type Line = { name: string; run(context: Context): Promise<Section> };

export function makeContext(quick: boolean, peers: readonly Contestant[]): Context & { clean(): void } {
  const root = mkdtempSync(join(tmpdir(), "gantry-bench-"));
  let count = 0;
  return {
    quick,
    peers,
    scratch(name) {
      const folder = join(root, `${++count}-${name}`);
      mkdirSync(folder);
      return folder;
    },
    log: (text) => void process.stderr.write(`  ${text}\n`),
    clean: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Starts a server in a new folder, runs `work`, and ends all of its processes. */
export async function withServer<Result>(
  context: Context,
  contestant: Contestant,
  work: (server: Server, home: string) => Promise<Result>,
): Promise<Result> {
  const home = context.scratch(contestant.name);
  const server = await contestant.start(home);
  try {
    return await work(server, home);
  } finally {
    await server.stop();
    endMarked(server.mark);
  }
}

/** Counts the processes that run five seconds after their server has ended, and kills them. */
export async function endOrphans(...marks: string[]): Promise<number> {
  const findLeftovers = () => marks.flatMap(findMarked);
  await until("an end", () => findLeftovers().length === 0, { limitMs: GRACE_MS, everyMs: 100 }).catch(() => undefined);
  return marks.reduce((sum, mark) => sum + endMarked(mark), 0);
}

/** Kills the remaining processes of a server and returns their number. */
export function endMarked(mark: string): number {
  const left = findMarked(mark);
  for (const pid of left) process.kill(pid, "SIGKILL");
  return left.length;
}

export type Outcome<Result> = { result: Result } | { cannot: string };

/** Runs the same work on Gantry and then on every peer. A failure is reported and does not stop the others. */
export async function onEach<Result>(
  context: Context,
  line: string,
  work: (contestant: Contestant) => Promise<Result>,
): Promise<Record<string, Outcome<Result>>> {
  const outcomes: Record<string, Outcome<Result>> = {};
  for (const contestant of [gantry, ...context.peers]) {
    outcomes[contestant.name] = await attempt(context, line, contestant, work);
  }
  return outcomes;
}

async function attempt<Result>(
  context: Context,
  line: string,
  contestant: Contestant,
  work: (contestant: Contestant) => Promise<Result>,
): Promise<Outcome<Result>> {
  context.log(`${line}: ${contestant.name} …`);
  try {
    return { result: await work(contestant) };
  } catch (error) {
    context.log(`!!! ${line} with ${contestant.name} FAILED: ${(error as Error).stack}`);
    return { cannot: `failed: ${(error as Error).message.slice(0, 80)}` };
  }
}

/** One figure of every outcome, for Gantry and for the peers. */
export function figures<Result>(
  outcomes: Record<string, Outcome<Result>>,
  pick: (result: Result) => Cell,
): { gantry: Cell; peers: Record<string, Cell> } {
  const cells = Object.entries(outcomes).map(([name, outcome]): [string, Cell] => [
    name,
    "cannot" in outcome ? outcome : pick(outcome.result),
  ]);
  const { gantry: ours = Number.NaN, ...peers } = Object.fromEntries(cells);
  return { gantry: ours, peers };
}
