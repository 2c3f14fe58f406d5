import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { vendorOf } from "./vendors.ts";

export interface HermeticOptions {
  agent: string;
  /** A fresh folder that becomes the agent's home. */
  home: string;
  /** Where the scripted model listens, without a path: `http://127.0.0.1:1234`. */
  modelUrl: string;
  /** The path of the vendor's program, which says where to find what it runs on. */
  program?: string;
}

/**
 * The whole environment for a vendor's program that shall see nothing of this machine: its own home, a made-up key,
 * the scripted model as its provider, and no calls home. Writes the configuration that the agent needs under `home`.
 * Use it as the only environment of the process.
 */
export function hermeticEnvironment({ agent, home, modelUrl, program }: HermeticOptions): Record<string, string> {
  const vendor = vendorOf(agent);
  const bare = bareEnvironment(home);
  const folder = program ? vendor.runsOn?.(program) : undefined;
  const path = folder ? `${folder}:${bare.PATH}` : bare.PATH;
  return { ...bare, PATH: path ?? "", ...vendor.environment(home, modelUrl, program) };
}

/** What every program needs and nothing more. Programs that are scripts run on the Node that runs this. */
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
