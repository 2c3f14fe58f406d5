import type { UsageKey } from "../../log/port.ts";
import type { Handlers } from "../handler.ts";
import type { ServerLog } from "../ports.ts";

export function historyRoutes(log: ServerLog): Pick<Handlers, "search" | "usage"> {
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
