import type { AgentRow } from "@gantry/protocol";
import { Cell } from "./cell.ts";
import { client } from "./connection/client.ts";

/** The agents in the daemon's order. A scan updates them one by one. */
export const agents = new Cell<readonly AgentRow[]>([]);
export const scanning = new Cell(false);
/** The number of agents checked in the current scan. */
export const scannedCount = new Cell(0);

let running: Promise<void> | undefined;

/** Loads the agents. `refresh` makes the daemon check the machine again. Never throws; known agents stay. */
export function scanAgents(refresh = false): Promise<void> {
  running ??= scan(refresh).finally(() => (running = undefined));
  return running;
}

export function storeAgent(row: AgentRow): void {
  agents.update((rows) => {
    const at = rows.findIndex((known) => known.id === row.id);
    return at < 0 ? [...rows, row] : rows.with(at, row);
  });
}

async function scan(refresh: boolean): Promise<void> {
  scanning.set(true);
  scannedCount.set(0);
  try {
    for await (const row of client.agents.stream(refresh)) {
      storeAgent(row);
      scannedCount.update((count) => count + 1);
    }
    // The stream is unordered and does not report removed profiles.
    agents.set(await client.agents.list());
  } catch {
    // The banner shows that the daemon is unreachable; the user can scan again.
  } finally {
    scanning.set(false);
  }
}

export function agentName(rows: readonly AgentRow[], id: string): string {
  return rows.find((row) => row.id === id)?.name ?? id;
}
