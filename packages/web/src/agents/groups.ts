import type { AgentRow } from "@gantry/protocol";

/** How an agent stands, as far as a person has to do something about it. */
export type Standing = "ready" | "login" | "broken" | "unknown" | "missing";

const order: readonly Standing[] = ["ready", "login", "broken", "unknown", "missing"];

export function standingOf(row: Pick<AgentRow, "state" | "auth">): Standing {
  return row.state === "ready" && row.auth.state === "missing" ? "login" : row.state;
}

export type AgentGroups = { here: AgentRow[]; missing: AgentRow[] };

/** Agents that are on this machine, those that can work first, and those that could be; otherwise the order stays. */
export function groupAgents(rows: readonly AgentRow[]): AgentGroups {
  const place = (row: AgentRow) => order.indexOf(standingOf(row));
  const sorted = rows.toSorted((one, other) => place(one) - place(other));
  return {
    here: sorted.filter((row) => row.state !== "missing"),
    missing: sorted.filter((row) => row.state === "missing"),
  };
}
