import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { SearchHit } from "./schema.ts";

const count = (max: number) => z.coerce.number().int().min(1).max(max);

/** Full-text search. */
export const searchRoutes = {
  search: {
    method: "GET",
    path: "/v1/search",
    summary: "Searches the text of all sessions.",
    query: z.strictObject({
      q: z.string().min(1).max(500),
      limit: count(200).optional(),
      session: z.string().optional(),
    }),
    status: 200,
    response: z.object({ hits: z.array(SearchHit) }),
    errors: ["invalid"],
  },
} as const satisfies Record<string, Route>;
