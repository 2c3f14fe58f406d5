import { homedir } from "node:os";
import type { TrustItem } from "@gantry/trust";

type Environment = Record<string, string | undefined>;

/** Finds what the own agent would run in a folder. Loads the agent's code on first use. */
export function projectCodeFinder(env: Environment, gantryHome: string): (folder: string) => Promise<TrustItem[]> {
  return async (cwd) => {
    const { agentFolder } = await import("@gantry/models");
    const { findProjectCode } = await import("@gantry/agent/project-code");
    const agentDir = agentFolder({ ...env, GANTRY_HOME: gantryHome });
    return findProjectCode({ home: env.HOME ?? homedir(), agentDir, gantryHome, cwd, path: env.PATH ?? "" });
  };
}
