import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { vendorBinary, vendorPackage, vendors } from "@gantry/testkit";
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
    (target, index) =>
      !target.fake && !target.own && pinned.findIndex((other) => vendorIdOf(other) === vendorIdOf(target)) === index,
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

/** The newest released version that can be installed, or `undefined` if that is the target itself. */
async function installNewest(target: Target): Promise<Target | undefined> {
  const vendor = vendors.find(({ id }) => id === vendorIdOf(target));
  if (!vendor) throw new Error(`there is no vendor entry for ${target.agent}`);
  const { name, suffix } = packageIn(vendorPackage(vendorIdOf(target), PLACEHOLDER).spec);
  const released = JSON.parse(await view(vendor.registryName, "version")) as string;
  const listed = JSON.parse(await view(name, "versions")) as string | string[];
  let failure: Error | undefined;
  for (const version of releasesBetween(target.version, released, listed, suffix).slice(0, ATTEMPTS)) {
    failure = await vendorBinary({ agent: vendorIdOf(target), version }).then(
      () => undefined,
      (error: Error) => error,
    );
    if (!failure) return withVersion(target, version);
  }
  if (failure) throw failure;
  return undefined;
}

async function view(name: string, field: string): Promise<string> {
  return (await run("npm", ["view", name, field, "--json", "--loglevel=error"])).stdout;
}

const PLACEHOLDER = "0.0.0";
/** A release whose dependencies are not in the registry yet cannot be installed; then an older one is tried. */
const ATTEMPTS = 3;

/** The package of a spec with the placeholder as its version, and what follows the version for this platform. */
export function packageIn(spec: string): { name: string; suffix: string } {
  const [before = "", suffix = ""] = spec.replace(/^.*@npm:/, "").split(`@${PLACEHOLDER}`);
  return { name: before, suffix };
}

/**
 * The releases for this platform that are newer than `version` and not newer than what is `released`, the newest first.
 * The packages of a platform are published before the release, or not at all.
 */
export function releasesBetween(
  version: string,
  released: string,
  listed: string | readonly string[],
  suffix: string,
): string[] {
  const releases = [listed]
    .flat()
    .filter((entry) => entry.endsWith(suffix))
    .map((entry) => entry.slice(0, entry.length - suffix.length))
    .filter((entry) => /^\d+(\.\d+)+$/.test(entry));
  return releases
    .filter((entry) => compareVersions(entry, version) > 0 && compareVersions(entry, released) <= 0)
    .toSorted((a, b) => compareVersions(b, a));
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number)) as [number[], number[]];
  const at = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function vendorIdOf({ vendor, agent }: Target): string {
  return vendor ?? agent;
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
