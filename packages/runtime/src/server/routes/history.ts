import type { Handlers } from "../handler.ts";
import type { ServerLog, UsageKey } from "../ports.ts";

export function historyRoutes(log: ServerLog): Pick<Handlers, "search" | "usage"> {
  return {
    search: ({ query }) => ({ json: { hits: log.search(query.q, query.limit ?? 50, query.session) } }),
    usage: ({ query }) => {
      const keys = new Set((query.by ?? "agent").split(",") as UsageKey[]);
      return { json: log.usage([...keys]) };
    },
  };
}
