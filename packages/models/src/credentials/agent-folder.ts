import { homedir } from "node:os";
import { join, resolve } from "node:path";

export type Environment = Record<string, string | undefined>;

/** Where Gantry's own agent keeps its things: GANTRY_AGENT_DIR, or `agent` in GANTRY_HOME (`~/.gantry`). */
export function agentFolder(env: Environment): string {
  if (env.GANTRY_AGENT_DIR) return resolve(env.GANTRY_AGENT_DIR);
  const home = env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : join(env.HOME || homedir(), ".gantry");
  return join(home, "agent");
}
