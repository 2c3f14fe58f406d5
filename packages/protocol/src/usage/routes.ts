import { z } from "zod";
import { moment } from "../routing/moment.ts";
import type { Route } from "../routing/route.ts";
import { UsageRow } from "./schema.ts";

const KEYS = "agent|model|day|session|lane|turn";

/** Tokens and cost. */
export const usageRoutes = {
  usage: {
    method: "GET",
    path: "/v1/usage",
    summary:
      "Returns tokens, cost and the median time to the first output, grouped. `since` (inclusive) and `until` (exclusive) are local days of the daemon, or times.",
    query: z.strictObject({
      by: z
        .string()
        .regex(new RegExp(`^(${KEYS})(,(${KEYS}))*$`), "is a list of agent, model, day, session, lane, turn")
        .optional(),
      since: moment.optional(),
      until: moment.optional(),
      session: z.string().max(200).optional(),
      lane: z.string().max(200).optional(),
    }),
    status: 200,
    response: z.object({ rows: z.array(UsageRow), total: UsageRow }),
    errors: ["invalid"],
  },
} as const satisfies Record<string, Route>;
