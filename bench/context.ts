import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gantry } from "./gantry.ts";
import { findMarked, until } from "./measure.ts";
import type { Cell, Section } from "./report/table.ts";
import type { Contestant, Server } from "./server.ts";

/** What a line of the benchmark works with. */
export type Context = {
  /** The numbers for the size of this run. A smoke run only shows that a line works; without numbers it takes the quick ones. */
  pick<Numbers extends number | [number, number] | number[]>(choices: {
    full: Numbers;
    quick: Numbers;
    smoke?: Numbers;
  }): Numbers;
  peers: readonly Contestant[];
  /** A new folder that is removed at the end of the run. */
  scratch(name: string): string;
  log(text: string): void;
};

/** How long a process may run after its server has ended. */
const GRACE_MS = 5_000;

export type Line = { name: string; run(context: Context): Promise<Section> };

export function makeContext(
  size: "full" | "quick" | "smoke",
  peers: readonly Contestant[],
): Context & { clean(): void } {
  const root = mkdtempSync(join(tmpdir(), "gantry-bench-"));
  let count = 0;
  return {
    pick: (choices) => choices[size] ?? choices.quick,
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

/** Starts a server in a new folder, which `prepare` may fill, runs `work`, and ends all of its processes. */
export async function withServer<Result>(
  context: Context,
  contestant: Contestant,
  work: (server: Server, home: string) => Promise<Result>,
  prepare: (home: string) => void = () => undefined,
): Promise<Result> {
  const home = context.scratch(contestant.name);
  prepare(home);
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

/** One of those that are measured in rounds. */
export type Entrant<Result> = {
  name: string;
  /** In how many rounds it takes part. The default is all of them. */
  rounds?: number;
  run(): Promise<Result>;
};

/**
 * Runs all entrants one after the other, round by round (A B A B), so that a disturbance affects all of them. A failed run is
 * reported and left out; an entrant without a successful run has none of the results.
 */
export async function inRounds<Result>(
  context: Context,
  line: string,
  rounds: number,
  entrants: readonly Entrant<Result>[],
): Promise<Record<string, Outcome<Result[]>>> {
  const outcomes: Record<string, Outcome<Result[]>> = {};
  for (let round = 0; round < rounds; round++) {
    for (const { name, rounds: own = rounds, run } of entrants) {
      if (round >= own) continue;
      const outcome = await attempt(context, `${line} ${round + 1}/${own}`, name, run);
      const before = outcomes[name];
      if (before === undefined || "cannot" in before) {
        outcomes[name] = "cannot" in outcome ? outcome : { result: [outcome.result] };
      } else if ("result" in outcome) before.result.push(outcome.result);
    }
  }
  return outcomes;
}

/** Runs the same work on Gantry and then on every peer. A failure is reported and does not stop the others. */
export async function onEach<Result>(
  context: Context,
  line: string,
  work: (contestant: Contestant) => Promise<Result>,
  contestants: readonly Contestant[] = [gantry, ...context.peers],
): Promise<Record<string, Outcome<Result>>> {
  const outcomes: Record<string, Outcome<Result>> = {};
  for (const contestant of contestants) {
    outcomes[contestant.name] = await attempt(context, line, contestant.name, () => work(contestant));
  }
  return outcomes;
}

async function attempt<Result>(
  context: Context,
  line: string,
  name: string,
  work: () => Promise<Result>,
): Promise<Outcome<Result>> {
  context.log(`${line}: ${name} …`);
  try {
    return { result: await work() };
  } catch (error) {
    context.log(`!!! ${line} with ${name} FAILED: ${(error as Error).stack}`);
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
