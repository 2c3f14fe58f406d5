import type { AgentRow, SearchHit, UsageRow } from "@gantry/protocol";
import type { LogSource } from "../hub/source.ts";
import type { StoredEvent } from "../session/port.ts";

/** What the server reads from the store by itself. */
export interface ServerLog extends LogSource {
  /** The last `count` events, oldest first. */
  tailEvents(session: string, count: number): StoredEvent[];
  /** Full text; any text is a valid query. */
  search(q: string, limit: number, session?: string): SearchHit[];
  usage(by: readonly UsageKey[]): { rows: UsageRow[]; total: UsageRow };
}

export type UsageKey = "agent" | "model" | "day" | "session";

/** The agents of this machine, probed and remembered. */
export interface Catalogue {
  list(refresh?: boolean): Promise<AgentRow[]>;
  /** Calls `onRow` for each agent as its probe ends; resolves after the last. */
  stream(refresh: boolean, onRow: (row: AgentRow) => void): Promise<void>;
}
