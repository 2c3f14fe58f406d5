import type { AgentEvent } from "./events.ts";

/** How a run ended that did not complete. */
export function endText(reason: Extract<AgentEvent, { type: "agent_settled" }>["reason"]): string {
  if (reason === "aborted") return "Stopped.";
  return reason === "budget" ? "Stopped: the budget is used up." : "The run failed.";
}

/** The message of a caught value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
