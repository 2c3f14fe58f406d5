import { usageError } from "./errors.ts";

/** Variables of a process that an agent has started. */
const AGENT_VARIABLES = ["GANTRY_AGENT", "GANTRY_TOKEN", "GANTRY_SESSION"];

/** Throws in an agent's shell, for decisions that belong to a person. `message` names the decision. */
export function refuseInAgentShell(env: Record<string, string | undefined>, message: string): void {
  if (AGENT_VARIABLES.some((name) => env[name] !== undefined)) {
    throw usageError(message, "Run the command in a terminal yourself.");
  }
}
