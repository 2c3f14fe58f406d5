import { homedir } from "node:os";
import { agentFolder } from "@gantry/models";
import type { TrustItem } from "@gantry/trust";

type Environment = Record<string, string | undefined>;

/** Finds what the own agent would run in a folder. Loads the agent's code on first use. */
export function projectCodeFinder(env: Environment, gantryHome: string): (folder: string) => Promise<TrustItem[]> {
  const user = { home: env.HOME ?? homedir(), agentDir: agentFolder({ ...env, GANTRY_HOME: gantryHome }), gantryHome };
  return async (cwd) => {
    const { findProjectCode } = await import("@gantry/agent/project-code");
    return findProjectCode({ ...user, cwd, path: env.PATH ?? "" });
  };
}
