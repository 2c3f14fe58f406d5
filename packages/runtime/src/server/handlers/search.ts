import type { SearchHit } from "@gantry/protocol";
import type { LogSource } from "../../hub/source.ts";
import type { StoredEvent } from "../../log/port.ts";
import type { Handlers } from "../handler.ts";

/** What the server reads from the store directly. */
export interface ServerLog extends LogSource {
  /** The last `count` events, oldest first. */
  tailEvents(session: string, count: number): StoredEvent[];
  /** Full text; any text is a valid query. */
  search(q: string, limit: number, session?: string): SearchHit[];
}

export function searchHandlers(log: ServerLog): Pick<Handlers, "search"> {
  return {
    search: ({ query }) => ({ json: { hits: log.search(query.q, query.limit ?? 50, query.session) } }),
  };
}
