import type { SearchHit, UsageRow } from "@gantry/protocol";
import type { LogSource } from "../../hub/source.ts";
import type { StoredEvent, UsageFilter, UsageKey } from "../../log/port.ts";
import type { Handlers } from "../handler.ts";

/** What the server reads from the store by itself. */
export interface ServerLog extends LogSource {
  /** The last `count` events, oldest first. */
  tailEvents(session: string, count: number): StoredEvent[];
  /** Full text; any text is a valid query. */
  search(q: string, limit: number, session?: string): SearchHit[];
  usage(by: readonly UsageKey[], filter?: UsageFilter): { rows: UsageRow[]; total: UsageRow };
}

export function historyHandlers(log: ServerLog): Pick<Handlers, "search" | "usage"> {
  return {
    search: ({ query }) => ({ json: { hits: log.search(query.q, query.limit ?? 50, query.session) } }),
    usage: ({ query: { by = "agent", since, until, session, lane } }) => {
      const keys = new Set(by.split(",") as UsageKey[]);
      return { json: log.usage([...keys], { since: moment(since), until: moment(until), session, lane }) };
    },
  };
}

/** A day begins when it does at the daemon's place. */
function moment(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  return new Date(given.length === 10 ? `${given}T00:00:00` : given).toISOString();
}
