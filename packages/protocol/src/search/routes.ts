import { z } from "zod";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import { SearchHit } from "./schema.ts";

/** Full-text search. */
export const searchRoutes = {
  search: {
    method: "GET",
    path: "/v1/search",
    summary: "Searches the text of all sessions.",
    query: z.strictObject({
      q: z.string().min(1).max(500),
      limit: decimal(1, 200).optional(),
      session: z.string().optional(),
    }),
    status: 200,
    response: z.object({ hits: z.array(SearchHit) }),
    errors: ["invalid"],
  },
} as const satisfies Record<string, Route>;
