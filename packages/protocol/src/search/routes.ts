import { z } from "zod";
import { decimal } from "../routing/decimal.ts";
import { moment } from "../routing/moment.ts";
import type { Route } from "../routing/route.ts";
import { SearchHit, searchKinds } from "./schema.ts";

/** Full-text search. */
export const searchRoutes = {
  search: {
    method: "GET",
    path: "/v1/search",
    summary:
      "Searches the text of all sessions, the newest match first. `since` (inclusive) and `until` (exclusive) are local days of the daemon, or times.",
    query: z.strictObject({
      q: z.string().min(1).max(500),
      limit: decimal(1, 200).optional(),
      session: z.string().optional(),
      /** Only sessions of this agent. */
      agent: z.string().max(100).optional(),
      /** Only sessions in this folder or below it. */
      folder: z.string().max(4096).optional(),
      /** Only text of this kind: of people, of agents, or commands and their output. */
      kind: z.enum(searchKinds).optional(),
      since: moment.optional(),
      until: moment.optional(),
      order: z.enum(["newest", "relevance"]).optional(),
    }),
    status: 200,
    response: z.object({ hits: z.array(SearchHit) }),
    errors: ["invalid"],
  },
} as const satisfies Record<string, Route>;
