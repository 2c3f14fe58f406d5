import type { AgentRow } from "@gantry/protocol";

/** The state of an agent in terms of what the user has to do. */
export type AgentStatus = "ready" | "login" | "broken" | "unknown" | "missing";

const order: readonly AgentStatus[] = ["ready", "login", "broken", "unknown", "missing"];

export function statusOf(row: Pick<AgentRow, "state" | "auth">): AgentStatus {
  return row.state === "ready" && row.auth.state === "missing" ? "login" : row.state;
}

export type AgentGroups = { here: AgentRow[]; missing: AgentRow[] };

/** Splits agents into installed and missing ones. Ready agents come first; otherwise the order is stable. */
export function groupAgents(rows: readonly AgentRow[]): AgentGroups {
  const rank = (row: AgentRow) => order.indexOf(statusOf(row));
  const sorted = rows.toSorted((one, other) => rank(one) - rank(other));
  return {
    here: sorted.filter((row) => row.state !== "missing"),
    missing: sorted.filter((row) => row.state === "missing"),
  };
}
