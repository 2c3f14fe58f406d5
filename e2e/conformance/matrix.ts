import { Bench } from "../harness/bench.ts";
import type { Target } from "../targets/target.ts";
import type { Scenario } from "./scenario.ts";

/** The result of one scenario with one target. */
export type Cell = {
  target: Target;
  scenario: Scenario;
  /** `cannot`: the agent itself lacks the feature, and Gantry reports that. */
  result: "works" | "cannot" | "broken";
  seconds: number;
  /** The message of the failed check. */
  problem?: string;
  /** Log excerpts for finding the cause. */
  details?: string;
  /** The problem of an earlier attempt. */
  retried?: string;
};

export type Plan = readonly { target: Target; scenario: Scenario }[];

const LONGEST_MS = 120_000;
const open = new Set<Promise<Bench>>();
let abandoned = false;

/** Closes every open bench, for a run that is cancelled. No further cell is started. */
export async function abandon(): Promise<void> {
  abandoned = true;
  await Promise.allSettled([...open].map(async (opening) => (await opening).close()));
}

/**
 * Runs the plan with `jobs` cells at a time and calls `onCell` as each one ends. A broken cell is retried up to `retries`
 * times, because a busy machine can exceed a vendor's own deadlines. Never rejects because of a scenario.
 */
export async function runMatrix(
  plan: Plan,
  { jobs, retries }: { jobs: number; retries: number },
  onCell: (cell: Cell) => void,
): Promise<Cell[]> {
  const cells: Cell[] = [];
  const waiting = [...plan];
  const work = async () => {
    for (let next = waiting.shift(); next && !abandoned; next = waiting.shift()) {
      const cell = await runCell(next.target, next.scenario, retries);
      cells.push(cell);
      onCell(cell);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  const place = ({ target, scenario }: Cell) =>
    plan.findIndex((entry) => entry.target === target && entry.scenario === scenario);
  return cells.toSorted((a, b) => place(a) - place(b));
}

async function runCell(target: Target, scenario: Scenario, retries: number): Promise<Cell> {
  const cell = await tryCell(target, scenario);
  if (cell.result !== "broken" || retries === 0 || abandoned) return cell;
  return { ...(await runCell(target, scenario, retries - 1)), retried: cell.problem };
}

async function tryCell(target: Target, scenario: Scenario): Promise<Cell> {
  const started = performance.now();
  const outcome = await attempt(target, scenario).catch((error: Error) => ({ problem: error.message, details: "" }));
  const seconds = (performance.now() - started) / 1000;
  if (outcome) return { target, scenario, result: "broken", seconds, ...outcome };
  return { target, scenario, result: target.cannot[scenario.name] ? "cannot" : "works", seconds };
}

/** Runs the scenario's checks, then the laws, then looks for orphaned processes. Returns the problem, if any. */
async function attempt(target: Target, scenario: Scenario): Promise<{ problem: string; details: string } | undefined> {
  const opening = Bench.open(target, scenario.setting);
  open.add(opening);
  const bench = await opening.catch((error: Error) => {
    open.delete(opening);
    throw error;
  });
  const problems: string[] = [];
  try {
    await withDeadline(check(bench, scenario), LONGEST_MS + (target.extraPatienceMs ?? 0) + (scenario.extraMs ?? 0));
  } catch (error) {
    problems.push((error as Error).message);
  }
  const story = bench.story();
  const left = await bench.close(problems.length > 0);
  open.delete(opening);
  if (left.length > 0) problems.push(`left running: ${left.join(", ")}`);
  if (problems.length === 0) return undefined;
  return { problem: problems.join("; "), details: `${story}\n    files: ${bench.home}` };
}

async function check(bench: Bench, scenario: Scenario): Promise<void> {
  const isUnsupported = bench.target.cannot[scenario.name] !== undefined;
  await (isUnsupported ? scenario.checkRefusal?.(bench) : scenario.run(bench));
  const { unbilled } = bench.target;
  const unbilledHere = scenario.unbilled || unbilled === true || unbilled?.includes(scenario.name);
  const [first, ...more] = await bench.findBreaches(!unbilledHere);
  if (first) throw new Error(`a law is broken: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ""}`);
}

function withDeadline(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
