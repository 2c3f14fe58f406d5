import { type SearchHit, toInstant } from "@gantry/protocol";
import type { LogSource } from "../../hub/source.ts";
import type { SearchFilter, StoredEvent } from "../../log/port.ts";
import type { Handlers } from "../handler.ts";

/** What the server reads from the store directly. */
export interface ServerLog extends LogSource {
  /** The last `count` events, oldest first. */
  tailEvents(session: string, count: number): StoredEvent[];
  /** Full text; any text is a valid query. */
  search(q: string, limit: number, filter?: SearchFilter): SearchHit[];
}

export function searchHandlers(log: ServerLog): Pick<Handlers, "search"> {
  return {
    search: ({ query: { q, limit = 50, since, until, ...filter } }) => {
      const times = { since: toInstant(since), until: toInstant(until) };
      return { json: { hits: log.search(q, limit, { ...filter, ...times }) } };
    },
  };
}
