import { ladder, type Mode, nearestMode } from "@gantry/protocol";
import type { Agent } from "./contract.ts";

/** The mode in which the agent runs when `wanted` is requested. */
export function appliedMode(agent: Agent, wanted: Mode): Mode {
  const offered = [...ladder.filter((rung) => agent.modes[rung] !== undefined), "inherit" as const];
  return nearestMode(wanted, offered) ?? "inherit";
}
