import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** GANTRY_HOME, or `~/.gantry`. The runtime knows it too; asking it here would load all of the daemon. */
export function homeFolder(env: Record<string, string | undefined>): string {
  return env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : join(homedir(), ".gantry");
}
