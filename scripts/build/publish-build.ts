import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/** A daemon that has not been restarted since may still load files of one of these. */
const RETAINED = 5;

/**
 * Moves a finished build to `dist/builds/` and points the link `dist/<name>` at it. A process that was started through the
 * link loads all its files from the folder that the link pointed at then, so a rebuild does not break it.
 */
export function publishBuild(dist: string, name: string, draft: string): void {
  const builds = join(dist, "builds");
  mkdirSync(builds, { recursive: true });
  // In the order of time, with enough digits for builds within a millisecond.
  const id = `${name}-${Date.now()}-${process.hrtime.bigint()}`;
  renameSync(draft, join(builds, id));
  const [link, next] = [join(dist, name), join(dist, `${name}.${process.pid}`)];
  rmSync(next, { recursive: true, force: true });
  symlinkSync(join("builds", id), next);
  // Earlier versions of this script made a folder, which a link cannot replace.
  if (lstatSync(link, { throwIfNoEntry: false })?.isDirectory()) rmSync(link, { recursive: true });
  renameSync(next, link);
  const all = readdirSync(builds).filter((build) => build.startsWith(`${name}-`));
  for (const build of all.sort().slice(0, -RETAINED)) rmSync(join(builds, build), { recursive: true, force: true });
}
