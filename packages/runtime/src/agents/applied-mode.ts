import { type Draft, ladder, type Mode, nearestMode } from "@gantry/protocol";
import type { Agent } from "./contract.ts";

/** The mode in which the agent runs when `wanted` is requested. */
export function appliedMode(agent: Agent, wanted: Mode): Mode {
  const offered = [...ladder.filter((rung) => agent.modes[rung] !== undefined), "inherit" as const];
  return nearestMode(wanted, offered) ?? "inherit";
}

/** The warning for a session in a mode that cannot be enforced; it is recorded before the first turn. */
export function unenforcedNotice(agent: Agent, mode: Mode): Draft<"notice">["data"] | undefined {
  const reason = agent.unenforced?.[mode];
  if (!reason) return undefined;
  return { kind: "mode", severity: "warning", text: `${agent.name}: ${mode} cannot be enforced. ${reason}` };
}
