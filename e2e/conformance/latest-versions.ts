import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { vendorBinary, vendors } from "@gantry/testkit";
import type { Target } from "../targets/target.ts";
import type { Cell } from "./matrix.ts";

const run = promisify(execFile);

/** A target in its vendor's newest version, with the pinned target that it is compared with. */
export type Newest = { pinned: Target; latest: Target };

/**
 * Resolves and installs the newest version of each target's agent. For an agent with several pinned versions, only the
 * first is used. A version that cannot be resolved or installed is reported with `log` and skipped. Fakes have no newer
 * version.
 */
export async function newestTargets(pinned: readonly Target[], log: (line: string) => void): Promise<Newest[]> {
  const first = pinned.filter(
    (target, index) => !target.fake && !target.own && pinned.findIndex(({ agent }) => agent === target.agent) === index,
  );
  const found: Newest[] = [];
  for (const target of first) {
    const latest = await installNewest(target).catch((error: Error) => error);
    if (latest instanceof Error) log(`${target.name}: the newest version cannot be installed here: ${shorten(latest)}`);
    else if (latest) found.push({ pinned: target, latest });
    else log(`${target.name} is the newest version`);
  }
  return found;
}

async function installNewest(target: Target): Promise<Target | undefined> {
  const vendor = vendors.find(({ id }) => id === target.agent);
  if (!vendor) throw new Error(`there is no vendor entry for ${target.agent}`);
  const { stdout } = await run("npm", ["view", vendor.registryName, "version", "--loglevel=error"]);
  const version = stdout.trim();
  if (version === target.version) return undefined;
  await vendorBinary({ agent: target.agent, version });
  return withVersion(target, version);
}

/** The same target in another version. */
export function withVersion(target: Target, version: string): Target {
  return { ...target, version, name: `${target.name.replace(target.version, "").trim()} ${version}` };
}

function shorten({ message }: Error): string {
  return message.replace(/\s+/g, " ").slice(0, 300);
}

/** One line for every result that differs between the pinned and the newest version. */
export function driftOf(cells: readonly Cell[], pairs: readonly Newest[]): string[] {
  return pairs.flatMap(({ pinned, latest }) => {
    const results = (target: Target) =>
      new Map(cells.filter((cell) => cell.target === target).map((cell) => [cell.scenario.name, cell]));
    const before = results(pinned);
    return [...results(latest)].flatMap(([name, { result, problem }]) => {
      const was = before.get(name)?.result;
      if (was === undefined || was === result) return [];
      const why = problem ? `: ${problem.replace(/\s+/g, " ").slice(0, 200)}` : "";
      return [`${latest.name}, ${name}: ${result}; with ${pinned.version}: ${was}${why}`];
    });
  });
}
