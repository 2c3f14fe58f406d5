import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./target.ts";
import { targets } from "./targets.ts";

const cache = process.env.GANTRY_VENDOR_CACHE ?? join(import.meta.dirname, "../..", ".cache", "vendors");

/** The agent in the newest version of the conformance matrix. */
export function newestTarget(agent: string): Target {
  const target = targets.find((entry) => entry.agent === agent && !entry.fake);
  if (!target) throw new Error(`no target ${agent}`);
  return target;
}

/** A vendor's program takes 300 MB, so tests use it only where it is installed or GANTRY_REAL_AGENTS=1 asks for it. */
export function areInstalled(...agents: string[]): boolean {
  if (process.env.GANTRY_REAL_AGENTS === "1") return true;
  return agents.every((agent) =>
    existsSync(join(cache, `${newestTarget(agent).vendor ?? agent}-${newestTarget(agent).version}`)),
  );
}

/** The reason that the reporter prints for tests of vendors' programs that are not installed. */
export const VENDOR_BINARIES = {
  reason:
    "The vendors' programs are not installed. `npm run conformance` installs them; GANTRY_REAL_AGENTS=1 downloads them.",
};
