import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { vendorOf } from "./vendors.ts";

export interface HermeticOptions {
  agent: string;
  /** An empty folder for the agent's home. */
  home: string;
  /** The scripted model's URL without a path: `http://127.0.0.1:1234`. */
  modelUrl: string;
  /** The path of the vendor's program, used to find its runtime. */
  program?: string;
}

/**
 * A hermetic environment for a vendor's program: a separate home, a fake key, the scripted model as provider, and no calls
 * to the vendor. Writes the agent's configuration below `home`. Use it as the only environment of the process.
 */
export function hermeticEnvironment({ agent, home, modelUrl, program }: HermeticOptions): Record<string, string> {
  const vendor = vendorOf(agent);
  const bare = bareEnvironment(home);
  const folder = program ? vendor.runsOn?.(program) : undefined;
  const path = folder ? `${folder}:${bare.PATH}` : bare.PATH;
  return { ...bare, PATH: path ?? "", ...vendor.environment(home, modelUrl, program) };
}

/** The minimum that every program needs. Scripts run on the current Node. */
export function bareEnvironment(home: string): Record<string, string> {
  const temporary = join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
  };
}
