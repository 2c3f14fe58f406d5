import type { AgentRow } from "@gantry/protocol";
import { Cell } from "./cell.ts";
import { client } from "./client.ts";

/** Agents as they are installed, in the daemon's order; rows land one by one. */
export const agents = new Cell<readonly AgentRow[]>([]);
export const scanning = new Cell(false);
/** How many rows have come since the scan began. */
export const landed = new Cell(0);

let running: Promise<void> | undefined;

/** Asks the daemon for its agents; `refresh` has it look at the machine anew. Never throws: what is known stays. */
export function scanAgents(refresh = false): Promise<void> {
  running ??= scan(refresh).finally(() => (running = undefined));
  return running;
}

export function takeAgent(row: AgentRow): void {
  agents.update((rows) => {
    const at = rows.findIndex((known) => known.id === row.id);
    return at < 0 ? [...rows, row] : rows.with(at, row);
  });
}

async function scan(refresh: boolean): Promise<void> {
  scanning.set(true);
  landed.set(0);
  try {
    for await (const row of client.agents.stream(refresh)) {
      takeAgent(row);
      landed.update((count) => count + 1);
    }
    // They land in no order, and a profile that was removed does not land at all.
    agents.set(await client.agents.list());
  } catch {
    // The banner tells that the daemon is away; another scan is one click.
  } finally {
    scanning.set(false);
  }
}

export function agentName(rows: readonly AgentRow[], id: string): string {
  return rows.find((row) => row.id === id)?.name ?? id;
}
